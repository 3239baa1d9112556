package dev.outrider.spi.sampling;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;

/// Logits processors of [SamplingPolicy], in double precision.
///
/// Everything between the logits and the distribution works on weights relative to the best token, whose weight is
/// 1: the truncations need ratios only, so the distribution is normalised once, at the end.
final class Processors {
    private Processors() {}

    /// Writes the distribution into `distribution`, whose length is V, and its support.
    static void distribution(
            SamplingPolicy policy,
            MemorySegment logits,
            TokenHistory history,
            double[] distribution,
            Support support) {
        if (policy.greedy()) {
            int mode = mode(policy, logits, distribution.length, history, distribution);
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

    static int mode(
            SamplingPolicy policy, MemorySegment logits, int vocabulary, TokenHistory history) {
        return policy.usesHistory()
                ? mode(policy, logits, vocabulary, history, new double[vocabulary])
                : Logits.argmax(logits, vocabulary);
    }

    private static int mode(
            SamplingPolicy policy,
            MemorySegment logits,
            int vocabulary,
            TokenHistory history,
            double[] scratch) {
        if (!policy.usesHistory()) {
            return Logits.argmax(logits, vocabulary);
        }
        double best = scores(policy, logits, history, scratch);
        int token = 0;
        while (scratch[token] != best) {
            token++;
        }
        return token;
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

    private static void penalise(double[] scores, double penalty, BitSet seen) {
        for (int token = seen.nextSetBit(0);
                token >= 0 && token < scores.length;
                token = seen.nextSetBit(token + 1)) {
            double score = scores[token];
            scores[token] = score > 0 ? score / penalty : score * penalty;
        }
    }
}
