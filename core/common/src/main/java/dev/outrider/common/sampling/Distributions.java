package dev.outrider.common.sampling;

import dev.outrider.common.sampling.Truncation.Nucleus;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;

/// Turns logits into a distribution or an argmax as a [SamplingPolicy] says, in double precision.
///
/// Everything between the logits and the distribution works on weights relative to the best token, whose weight is
/// 1: the truncations need ratios only, so the distribution is normalised once, at the end.
public final class Distributions {
    private Distributions() {}

    /// {@return the distribution at one position, shape `[V]`, summing to 1; removed tokens have exactly 0} The caller owns it.
    ///
    /// @param logits     shape `[V]` 32-bit floats; not changed
    /// @param vocabulary number of logits V
    /// @param history    tokens before the position
    /// @throws dev.outrider.spi.error.OutriderException `CONTRACT_BROKEN` if a logit is NaN or none is finite
    public static double[] of(
            SamplingPolicy policy, MemorySegment logits, int vocabulary, TokenHistory history) {
        var buffer = new DistributionBuffer(vocabulary);
        buffer.fill(policy, logits, history);
        return buffer.distribution();
    }

    /// {@return the token of the largest logit, the lowest id among equals}
    ///
    /// @param logits     shape `[V]` 32-bit floats
    /// @param vocabulary number of logits V
    /// @throws dev.outrider.spi.error.OutriderException `CONTRACT_BROKEN` if a logit is NaN or none is finite
    public static int argmax(MemorySegment logits, int vocabulary) {
        return Logits.argmax(logits, vocabulary);
    }

    /// {@return the token of the largest number, the lowest id among equals}
    ///
    /// @param values shape `[V]`, scores or probabilities; none is NaN
    public static int argmax(double[] values) {
        double best = Logits.max(values);
        int token = 0;
        while (values[token] != best) {
            token++;
        }
        return token;
    }

    /// Writes the distribution into `distribution`, whose length is V, and its support.
    static void fill(
            SamplingPolicy policy,
            MemorySegment logits,
            TokenHistory history,
            double[] distribution,
            WeightedTokens support) {
        if (policy.greedy()) {
            int mode = mode(policy, logits, distribution.length, history);
            Arrays.fill(distribution, 0);
            distribution[mode] = 1;
            support.scan(distribution);
            return;
        }
        boolean topK = policy.topK() > 0 && policy.topK() < distribution.length;
        if (policy.topP() < 1 && !topK && !policy.usesHistory()) {
            support.zero(distribution);
            if (Nucleus.keep(policy, logits, distribution.length, support)) {
                double total = support.keepFrom(policy.minP(), 0);
                support.writeTo(distribution, 1 / total);
                return;
            }
        }
        wholeVocabulary(policy, logits, history, distribution, topK);
        support.scan(distribution);
    }

    private static void wholeVocabulary(
            SamplingPolicy policy,
            MemorySegment logits,
            TokenHistory history,
            double[] distribution,
            boolean topK) {
        double best = scores(policy, logits, history, distribution);
        double total;
        if (topK) {
            double threshold = Truncation.kthLargest(distribution, policy.topK());
            total = Softmax.weightsFrom(distribution, threshold, best, policy.temperature());
        } else {
            total = Softmax.weights(distribution, best, policy.temperature());
        }
        if (policy.topP() < 1) {
            total = Truncation.keepTopP(distribution, total, policy.topP());
        }
        if (policy.minP() > 0) {
            total = Truncation.keepAtLeast(distribution, policy.minP());
        }
        Softmax.scale(distribution, 1 / total);
    }

    /// {@return the argmax of the processed logits, the lowest id among equals}
    ///
    /// @param logits     shape `[V]` 32-bit floats
    /// @param vocabulary number of logits V
    /// @param history    tokens before the position
    public static int mode(
            SamplingPolicy policy, MemorySegment logits, int vocabulary, TokenHistory history) {
        return policy.usesHistory()
                ? argmax(greedyScores(policy, logits, vocabulary, history))
                : Logits.argmax(logits, vocabulary);
    }

    /// {@return the processed logits of which [#mode] is the largest, shape `[V]`} The caller owns it.
    ///
    /// @param logits     shape `[V]` 32-bit floats
    /// @param vocabulary number of logits V
    /// @param history    tokens before the position
    public static double[] greedyScores(
            SamplingPolicy policy, MemorySegment logits, int vocabulary, TokenHistory history) {
        var scores = new double[vocabulary];
        scores(policy, logits, history, scores);
        return scores;
    }

    /// Writes the penalised logits into `scores` and returns the largest.
    private static double scores(
            SamplingPolicy policy, MemorySegment logits, TokenHistory history, double[] scores) {
        Logits.copy(logits, scores);
        if (policy.usesHistory()) {
            penalise(scores, policy.repetitionPenalty(), history.distinct());
        }
        return Logits.requireFinite(Logits.max(scores));
    }

    static void penalise(double[] scores, double penalty, BitSet seen) {
        for (int token = seen.nextSetBit(0);
                token >= 0 && token < scores.length;
                token = seen.nextSetBit(token + 1)) {
            double score = scores[token];
            scores[token] = score > 0 ? score / penalty : score * penalty;
        }
    }
}
