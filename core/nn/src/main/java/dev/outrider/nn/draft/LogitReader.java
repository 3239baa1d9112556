package dev.outrider.nn.draft;

import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Ranks the tokens of one row of logits without building a law: only the repetition penalty of the
/// drafter's policy can change ranks. Probabilities are those of the softmax at temperature 1.
///
/// Confined to one thread; holds one row of floats.
final class LogitReader {
    private final SamplingPolicy policy;
    private final float[] scores;

    LogitReader(SamplingPolicy policy, int width) {
        this.policy = policy;
        this.scores = new float[width];
    }

    /// Takes over a row and applies the repetition penalty.
    void read(MemorySegment logits, TokenHistory history) {
        MemorySegment.copy(logits, ValueLayout.JAVA_FLOAT, 0, scores, 0, scores.length);
        if (policy.usesHistory()) {
            double penalty = policy.repetitionPenalty();
            history.distinct().stream()
                    .filter(token -> token < scores.length)
                    .forEach(token -> scores[token] = penalised(scores[token], penalty));
        }
    }

    /// The `count` tokens with the largest scores, best first, the lowest id first among equals. Fewer when
    /// fewer have a score that is a number above minus infinity.
    int[] top(int count) {
        return TopTokens.of(scores, count);
    }

    /// The score of a token.
    float score(int token) {
        return scores[token];
    }

    /// Natural logarithm of the sum of all exponentials: `score(token)` minus this is the token's log
    /// probability.
    ///
    /// @param best the largest score
    double logNormaliser(float best) {
        double sum = 0;
        for (float score : scores) {
            sum += Math.exp(score - best);
        }
        return best + Math.log(sum);
    }

    /// Entropy of the softmax, in nats.
    double entropy() {
        float best = Float.NEGATIVE_INFINITY;
        for (float score : scores) {
            best = Math.max(best, score);
        }
        double normaliser = logNormaliser(best);
        double entropy = 0;
        for (float score : scores) {
            double logProbability = score - normaliser;
            if (logProbability > Float.NEGATIVE_INFINITY) {
                entropy -= Math.exp(logProbability) * logProbability;
            }
        }
        return entropy;
    }

    private static float penalised(float score, double penalty) {
        return (float) (score > 0 ? score / penalty : score * penalty);
    }
}
