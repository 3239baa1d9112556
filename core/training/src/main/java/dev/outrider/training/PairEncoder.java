package dev.outrider.training;

import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.training.TextEncoder.TokenizerEncoder;
import java.util.Arrays;

/// The tokenizer for the training of encoder-decoders. Thread-safe.
public interface PairEncoder {
    /// Token ids of a source, with the special tokens that the tokenizer puts around a text.
    int[] source(String text);

    /// Token ids of an answer, with the end token.
    int[] answer(String text);

    /// Returns the number of token ids.
    int vocabularySize();

    /// The id that ends an answer.
    int end();

    /// The id that fills rows up, and is the decoder's start token; no text has it.
    int pad();

    /// A tokenizer for the training of encoder-decoders. Thread-safe if the tokenizer is.
    record TokenizerPairEncoder(Tokenizer tokenizer, int end, int pad) implements PairEncoder {
        /// @throws OutriderException `TOKENIZER_INVALID` if the tokenizer does not know one of the tokens
        public TokenizerPairEncoder(Tokenizer tokenizer, String endOfText, String pad) {
            this(
                    tokenizer,
                    TokenizerEncoder.special(tokenizer, endOfText, "endOfText"),
                    TokenizerEncoder.special(tokenizer, pad, "pad"));
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
    }
}
