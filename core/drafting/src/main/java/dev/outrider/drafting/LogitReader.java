package dev.outrider.drafting;

import dev.outrider.common.sampling.Softmax;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Ranks the tokens of one row of logits without building a distribution: only the repetition penalty of the
/// drafter's policy can change ranks. Probabilities are those of the softmax at temperature 1.
///
/// Confined to one thread; has one row of floats.
final class LogitReader {
    private final SamplingPolicy policy;
    private final DraftVocabulary vocabulary;
    private final float[] scores;
    private final Exponentials exponentials = new Exponentials();

    LogitReader(SamplingPolicy policy, DraftVocabulary vocabulary) {
        this.policy = policy;
        this.vocabulary = vocabulary;
        this.scores = new float[vocabulary.width()];
    }

    /// Whether ranks depend on the tokens before.
    boolean usesHistory() {
        return policy.usesHistory();
    }

    /// The target's token for a drafter's id.
    int token(int id) {
        return vocabulary.token(id);
    }

    /// Takes over a row and applies the repetition penalty.
    void read(MemorySegment logits, TokenHistory history) {
        MemorySegment.copy(logits, ValueLayout.JAVA_FLOAT, 0, scores, 0, scores.length);
        if (policy.usesHistory()) {
            double penalty = policy.repetitionPenalty();
            vocabulary.seen(history).forEach(id -> scores[id] = penalised(scores[id], penalty));
        }
    }

    /// The drafter's ids of the `count` tokens with the largest scores, best first, the lowest id first among equals. Fewer when
    /// fewer have a score that is a number above minus infinity.
    ///
    /// @param count at least 1
    /// @return at least one token
    /// @throws OutriderException `CONTRACT_BROKEN` if no score is finite
    int[] top(int count) {
        var top = TopTokens.of(scores, count);
        if (top.length == 0 || !Float.isFinite(scores[top[0]])) {
            throw ErrorCode.CONTRACT_BROKEN.error(
                    "the drafter's largest logit is %s, expected a finite number"
                            .formatted(top.length == 0 ? "not a number" : scores[top[0]]),
                    "Check the drafter's checkpoint for NaN weights, or choose a wider number"
                            + " format for it.");
        }
        return top;
    }

    /// The score of a token, by the drafter's id.
    float score(int id) {
        return scores[id];
    }

    /// Natural logarithm of the sum of all exponentials: `score(token)` minus this is the token's log
    /// probability.
    double logNormaliser() {
        float best = scores[top(1)[0]];
        return best + Math.log(exponentials.sum(scores, best));
    }

    /// Entropy of the softmax, in nats.
    double entropy() {
        float best = scores[top(1)[0]];
        double sum = exponentials.sum(scores, best);
        return Math.log(sum) + exponentials.weightedDistance(scores, best) / sum;
    }

    private static float penalised(float score, double penalty) {
        return (float) (score > 0 ? score / penalty : score * penalty);
    }

    /// `exp(score - best)` of a row of scores, block by block, in loops that the just-in-time compiler turns
    /// into vector instructions. With [Math#exp] the normalisers of a dynamic tree over 32,000 tokens would
    /// take tens of milliseconds a round.
    ///
    /// The relative error is below 1e-10, and the exponential of 0 is exactly 1. Confined to one thread.
    static final class Exponentials {
        private static final int BLOCK = 1024;
        private static final double LOG2_E = 1.4426950408889634;
        private static final double LN2 = 0.6931471805599453;
        private static final double ROUND_TO_INTEGER = 0x1.8p52;
        private static final double SMALLEST_EXPONENT = -1021;

        private final double[] powers = new double[BLOCK];
        private final double[] exponents = new double[BLOCK];

        /// Sum of the exponentials.
        ///
        /// @param best the largest score, finite
        double sum(float[] scores, float best) {
            double total = 0;
            for (int start = 0; start < scores.length; start += BLOCK) {
                int count = fill(scores, start, best);
                total += Softmax.sum(powers, 0, count);
            }
            return total;
        }

        /// Sum of `exp(score - best) * (best - score)`.
        ///
        /// @param best the largest score, finite
        double weightedDistance(float[] scores, float best) {
            double total = 0;
            for (int start = 0; start < scores.length; start += BLOCK) {
                int count = fill(scores, start, best);
                for (int i = 0; i < count; i++) {
                    if (powers[i] > 0) {
                        total += powers[i] * ((double) best - scores[start + i]);
                    }
                }
            }
            return total;
        }

        private int fill(float[] scores, int start, float best) {
            int count = Math.min(BLOCK, scores.length - start);
            for (int i = 0; i < count; i++) {
                double x = (double) scores[start + i] - best;
                double exponent = x * LOG2_E + ROUND_TO_INTEGER - ROUND_TO_INTEGER;
                exponents[i] = exponent;
                powers[i] = polynomial(x - exponent * LN2);
            }
            for (int i = 0; i < count; i++) {
                double exponent = exponents[i];
                double scale = Double.longBitsToDouble(((long) exponent + 1023) << 52);
                powers[i] = exponent >= SMALLEST_EXPONENT ? powers[i] * scale : 0;
            }
            return count;
        }

        /// Taylor polynomial of `exp(r)` for `|r| <= ln(2) / 2`.
        private static double polynomial(double r) {
            double p = 1 / 3628800.0;
            p = p * r + 1 / 362880.0;
            p = p * r + 1 / 40320.0;
            p = p * r + 1 / 5040.0;
            p = p * r + 1 / 720.0;
            p = p * r + 1 / 120.0;
            p = p * r + 1 / 24.0;
            p = p * r + 1 / 6.0;
            p = p * r + 1 / 2.0;
            p = p * r + 1;
            return p * r + 1;
        }
    }
}
