package dev.outrider.drafter.smallmodel;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A vocabulary of pieces of any length. It cuts the longest piece off the left of the text; characters with which no piece begins
/// are skipped.
///
/// @param pieces  by id; of equal ones the first is used for encoding
/// @param lacking a text with this has a token that the model lacks
/// @param longest letters of the longest text that can be encoded
record PieceTokenizer(List<String> pieces, Optional<String> lacking, int longest)
        implements Tokenizer {
    PieceTokenizer(List<String> pieces) {
        this(pieces, Optional.empty(), Integer.MAX_VALUE);
    }

    @Override
    public int vocabularySize() {
        return pieces.size();
    }

    @Override
    public int[] encode(String text, boolean addSpecialTokens) {
        if (text.length() > longest) {
            throw new OutriderException(ErrorCode.CONTEXT_EXCEEDED, text, "Cut it.");
        }
        if (lacking.filter(text::contains).isPresent()) {
            throw new OutriderException(ErrorCode.TOKEN_OUT_OF_RANGE, text, "Leave it out.");
        }
        var ids = new ArrayList<Integer>();
        int at = 0;
        while (at < text.length()) {
            int best = -1;
            for (int id = 0; id < pieces.size(); id++) {
                boolean longer = best < 0 || pieces.get(id).length() > pieces.get(best).length();
                if (longer && text.startsWith(pieces.get(id), at)) {
                    best = id;
                }
            }
            if (best >= 0) {
                ids.add(best);
            }
            at += best < 0 ? 1 : pieces.get(best).length();
        }
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public String decode(int[] ids) {
        var text = new StringBuilder();
        for (int id : ids) {
            text.append(pieces.get(id));
        }
        return text.toString();
    }

    @Override
    public String piece(int id) {
        return pieces.get(id);
    }

    @Override
    public TokenStream stream() {
        throw new AssertionError("drafters do not decode step by step");
    }

    @Override
    public String digest() {
        return String.join(" ", pieces);
    }
}
