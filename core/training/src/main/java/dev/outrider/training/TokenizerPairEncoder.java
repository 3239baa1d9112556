package dev.outrider.training;

import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.training.TextEncoder.TokenizerEncoder;
import java.util.Arrays;

/// A tokenizer as training of encoder-decoders sees it. Thread-safe as far as the tokenizer is.
public final class TokenizerPairEncoder implements PairEncoder {
    private final Tokenizer tokenizer;
    private final int end;
    private final int pad;

    /// @throws OutriderException `TOKENIZER_INVALID` if the tokenizer does not know one of the tokens
    public TokenizerPairEncoder(Tokenizer tokenizer, String endOfText, String pad) {
        this.tokenizer = tokenizer;
        end = TokenizerEncoder.special(tokenizer, endOfText, "endOfText");
        this.pad = TokenizerEncoder.special(tokenizer, pad, "pad");
    }

    @Override
    public int[] source(String text) {
        return tokenizer.encode(text, true);
    }

    @Override
    public int[] answer(String text) {
        int[] ids = tokenizer.encode(text, false);
        int[] ended = Arrays.copyOf(ids, ids.length + 1);
        ended[ids.length] = end;
        return ended;
    }

    @Override
    public int vocabularySize() {
        return tokenizer.vocabularySize();
    }

    @Override
    public int end() {
        return end;
    }

    @Override
    public int pad() {
        return pad;
    }
}
