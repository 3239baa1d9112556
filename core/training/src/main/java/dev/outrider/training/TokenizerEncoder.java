package dev.outrider.training;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.Tokenizer;

/// A tokenizer as training sees it. Thread-safe as far as the tokenizer is.
public final class TokenizerEncoder implements TextEncoder {
    private final Tokenizer tokenizer;
    private final int endOfText;

    /// @throws OutriderException `TOKENIZER_INVALID` if the tokenizer does not know the token that ends a document
    public TokenizerEncoder(Tokenizer tokenizer, String endOfText) {
        this.tokenizer = tokenizer;
        int[] ids = tokenizer.encode(endOfText, false);
        if (ids.length != 1) {
            throw new OutriderException(
                    ErrorCode.TOKENIZER_INVALID,
                    "the tokenizer splits '%s' into %d tokens, expected one special token"
                            .formatted(endOfText, ids.length),
                    "Set endOfText to the token that ends a document in this tokenizer.");
        }
        this.endOfText = ids[0];
    }

    @Override
    public int[] encode(String text) {
        return tokenizer.encode(text, false);
    }

    @Override
    public int vocabularySize() {
        return tokenizer.vocabularySize();
    }

    @Override
    public int endOfText() {
        return endOfText;
    }
}
