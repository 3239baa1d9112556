package dev.outrider.training;

import dev.outrider.common.Require;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;

/// The k largest of V logits, and the logarithm of the total mass of the others. After reading, the others share that mass evenly.
/// So the distribution over the k tokens and "another token" is unchanged, and the error of any divergence that is a sum of
/// differences of probabilities is at most the mass of the others.
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
    /// @param from untrusted memory: ids outside the vocabulary are refused
    void read(MemorySegment from, long at, float[] logits, int to) {
        float rest = from.get(FLOAT, at + 8L * k);
        float each = (float) (rest - Math.log(vocabulary - k));
        Arrays.fill(logits, to, to + vocabulary, each);
        for (int i = 0; i < k; i++) {
            int token = from.get(INT, at + 4L * i);
            logits[to + Objects.checkIndex(token, vocabulary)] = from.get(FLOAT, at + 4L * (k + i));
        }
    }
}
