package dev.outrider.drafting;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Ranks the tokens of one row of logits without building a distribution: only the repetition penalty of the
/// drafter's policy can change ranks. Probabilities are those of the softmax at temperature 1.
///
/// Confined to one thread; holds one row of floats.
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
            throw new OutriderException(
                    ErrorCode.CONTRACT_BROKEN,
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
}
