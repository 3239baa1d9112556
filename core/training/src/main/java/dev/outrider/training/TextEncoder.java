package dev.outrider.training;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.Tokenizer;

/// The tokenizer for training. Thread-safe.
public interface TextEncoder {
    /// Token ids of a text, without special tokens.
    int[] encode(String text);

    /// Token ids in front of every text, such as a begin token.
    default int[] beginning() {
        return new int[0];
    }

    /// Returns the number of token ids.
    int vocabularySize();

    /// The id that ends a document.
    int endOfText();

    /// A tokenizer for training. Thread-safe if the tokenizer is.
    record TokenizerEncoder(Tokenizer tokenizer, int endOfText) implements TextEncoder {
        /// @throws OutriderException `TOKENIZER_INVALID` if the tokenizer does not know the token that ends a document
        public TokenizerEncoder(Tokenizer tokenizer, String endOfText) {
            this(tokenizer, special(tokenizer, endOfText, "endOfText"));
        }

        /// The id of a special token.
        ///
        /// @param key of the configuration that names it
        static int special(Tokenizer tokenizer, String token, String key) {
            int[] ids = tokenizer.encode(token, false);
            if (ids.length != 1) {
                throw ErrorCode.TOKENIZER_INVALID.error(
                        "the tokenizer splits '%s' into %d tokens, expected one special token"
                                .formatted(token, ids.length),
                        "Set %s to %s in this tokenizer."
                                .formatted(
                                        key,
                                        key.equals("pad")
                                                ? "the token that rows are filled up with"
                                                : "the token that ends a document"));
            }
            return ids[0];
        }

        @Override
        public int[] encode(String text) {
            return tokenizer.encode(text, false);
        }

        @Override
        public int[] beginning() {
            return tokenizer.encode("", true);
        }

        @Override
        public int vocabularySize() {
            return tokenizer.vocabularySize();
        }
    }
}
