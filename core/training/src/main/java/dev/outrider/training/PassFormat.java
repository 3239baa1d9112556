package dev.outrider.training;

import dev.outrider.common.Require;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;

/// How a row and its pass lie in a store: what the row source had consumed behind the row's batch (8 bytes; [#WITHIN] where others of the batch follow), the row's tokens
/// (4 bytes each), which are learned (1 byte each), then the hidden states one by one, then the logits; each part begins at a multiple of 8.
///
/// @param width      tokens of a row
/// @param passed     tokens of it that the target reads, from the first on
/// @param states     how many hidden states are kept
/// @param hiddenSize numbers of each, a token
/// @param vocabulary logits of a token, or 0 if none are kept
/// @param top        logits of a token that are kept, 0 for all
/// @param narrow     whether states and logits are all bfloat16 numbers and take 2 bytes each; kept logits of `top` take 4 always
record PassFormat(
        int width,
        int passed,
        int states,
        int hiddenSize,
        int vocabulary,
        int top,
        boolean narrow) {
    /// In place of what was consumed, where the batch goes on.
    static final long WITHIN = -1;

    PassFormat {
        Require.that(
                width >= 1
                        && passed >= 1
                        && passed <= width
                        && states >= 0
                        && hiddenSize >= 0
                        && vocabulary >= 0,
                "no row can lie in %s",
                this);
        if (vocabulary > 0 && top > 0) {
            new TopLogits(top, vocabulary);
        }
    }

    int numberBytes() {
        return narrow ? Short.BYTES : Float.BYTES;
    }

    long learned() {
        return Long.BYTES + (long) Integer.BYTES * width;
    }

    long state(int index) {
        return aligned(learned() + width)
                + index * aligned((long) passed * hiddenSize * numberBytes());
    }

    long logits() {
        return state(states);
    }

    /// Bytes of a token's logits.
    long logitsOfToken() {
        if (vocabulary == 0) {
            return 0;
        }
        return top > 0 ? new TopLogits(top, vocabulary).size() : (long) vocabulary * numberBytes();
    }

    /// Bytes of a row with its pass.
    long size() {
        return aligned(logits() + passed * logitsOfToken());
    }

    private static long aligned(long bytes) {
        return (bytes + 7) & -8;
    }

    /// The k largest of V logits, and the logarithm of the mass that the others have together. Read again, the others share that mass
    /// evenly. So the distribution over the k tokens and over "another" is what it was, and any divergence that is a sum of
    /// differences of probabilities is off by no more than the mass of the others.
    ///
    /// In memory: k 32-bit token ids in ascending order, their k logits, the logarithm of the others' mass; little-endian 32-bit floats.
    ///
    /// @param k          at least 1, less than V
    /// @param vocabulary V
    record TopLogits(int k, int vocabulary) {
        private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
        private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

        TopLogits {
            Require.that(
                    k >= 1 && k < vocabulary,
                    "top is %d; expected 1 to %d, or 0 for all",
                    k,
                    vocabulary - 1);
        }

        /// Bytes of a token.
        int size() {
            return (2 * k + 1) * Float.BYTES;
        }

        /// Writes the logits of a token.
        ///
        /// @param logits of all tokens, from `from` on
        void write(float[] logits, int from, MemorySegment to, long at) {
            var sorted = Arrays.copyOfRange(logits, from, from + vocabulary);
            Arrays.sort(sorted);
            float least = sorted[vocabulary - k];
            int ties = 0;
            for (int i = vocabulary - k; i < vocabulary && sorted[i] == least; i++) {
                ties++;
            }
            double largest = sorted[vocabulary - 1];
            double rest = 0;
            int taken = 0;
            for (int token = 0; token < vocabulary; token++) {
                float logit = logits[from + token];
                boolean tied = logit == least && ties-- > 0;
                if (logit > least || tied) {
                    to.set(INT, at + 4L * taken, token);
                    to.set(FLOAT, at + 4L * (k + taken), logit);
                    taken++;
                } else {
                    rest += Math.exp(logit - largest);
                }
            }
            to.set(FLOAT, at + 8L * k, (float) (largest + Math.log(rest)));
        }

        /// Reads them as logits of all tokens.
        ///
        /// @param from memory from elsewhere: ids outside the vocabulary are refused
        void read(MemorySegment from, long at, float[] logits, int to) {
            float rest = from.get(FLOAT, at + 8L * k);
            float each = (float) (rest - Math.log(vocabulary - k));
            Arrays.fill(logits, to, to + vocabulary, each);
            for (int i = 0; i < k; i++) {
                int token = from.get(INT, at + 4L * i);
                logits[to + Objects.checkIndex(token, vocabulary)] =
                        from.get(FLOAT, at + 4L * (k + i));
            }
        }
    }
}
