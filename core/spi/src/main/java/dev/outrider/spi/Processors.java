package dev.outrider.spi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Logits processors of [SamplingPolicy], in double precision.
final class Processors {
    private Processors() {}

    static double[] law(
            SamplingPolicy policy, MemorySegment logits, int vocabulary, TokenHistory history) {
        var scores = penalised(policy, logits, vocabulary, history);
        if (policy.greedy()) {
            var law = new double[vocabulary];
            law[argmax(scores)] = 1;
            return law;
        }
        for (int token = 0; token < vocabulary; token++) {
            scores[token] /= policy.temperature();
        }
        keepTopK(scores, policy.topK());
        softmax(scores);
        if (policy.topP() < 1) {
            keepTopP(scores, policy.topP());
            normalise(scores);
        }
        if (policy.minP() > 0) {
            keepMinP(scores, policy.minP());
            normalise(scores);
        }
        return scores;
    }

    static int mode(
            SamplingPolicy policy, MemorySegment logits, int vocabulary, TokenHistory history) {
        return argmax(penalised(policy, logits, vocabulary, history));
    }

    private static double[] penalised(
            SamplingPolicy policy, MemorySegment logits, int vocabulary, TokenHistory history) {
        var scores = new double[vocabulary];
        for (int token = 0; token < vocabulary; token++) {
            scores[token] = logits.getAtIndex(ValueLayout.JAVA_FLOAT, token);
        }
        if (policy.usesHistory()) {
            double penalty = policy.repetitionPenalty();
            history.distinct().stream()
                    .filter(token -> token < vocabulary)
                    .forEach(token ->
                            scores[token] =
                                    scores[token] > 0
                                            ? scores[token] / penalty
                                            : scores[token] * penalty);
        }
        return scores;
    }

    private static int argmax(double[] scores) {
        int best = 0;
        for (int token = 1; token < scores.length; token++) {
            if (scores[token] > scores[best]) {
                best = token;
            }
        }
        return best;
    }

    /// Removes scores below the k-th largest; ties with it stay.
    private static void keepTopK(double[] scores, int topK) {
        if (topK == 0 || topK >= scores.length) {
            return;
        }
        var sorted = scores.clone();
        Arrays.sort(sorted);
        double threshold = sorted[sorted.length - topK];
        for (int token = 0; token < scores.length; token++) {
            if (scores[token] < threshold) {
                scores[token] = Double.NEGATIVE_INFINITY;
            }
        }
    }

    /// Removes a token when the mass of strictly earlier tokens, sorted by falling probability and then by
    /// rising id, is at least `topP`. The first always stays.
    private static void keepTopP(double[] law, double topP) {
        var order = new Integer[law.length];
        Arrays.setAll(order, token -> token);
        Arrays.sort(order, (a, b) -> Double.compare(law[b], law[a]));
        double above = 0;
        for (int rank = 0; rank < order.length; rank++) {
            int token = order[rank];
            double mass = law[token];
            if (rank > 0 && above >= topP) {
                law[token] = 0;
            }
            above += mass;
        }
    }

    private static void keepMinP(double[] law, double minP) {
        double best = Arrays.stream(law).max().orElse(0);
        for (int token = 0; token < law.length; token++) {
            if (law[token] < minP * best) {
                law[token] = 0;
            }
        }
    }

    private static void softmax(double[] scores) {
        double best = Arrays.stream(scores).max().orElse(0);
        for (int token = 0; token < scores.length; token++) {
            scores[token] = Math.exp(scores[token] - best);
        }
        normalise(scores);
    }

    private static void normalise(double[] law) {
        double total = Arrays.stream(law).sum();
        for (int token = 0; token < law.length; token++) {
            law[token] /= total;
        }
    }
}
