package dev.outrider.common.sampling;

import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// The slow twin of [Distributions]: every processor is computed as its definition says, one token at a time.
final class ReferenceProcessors {
    private ReferenceProcessors() {}

    static double[] distribution(SamplingPolicy policy, float[] logits, TokenHistory history) {
        var scores = new double[logits.length];
        for (int token = 0; token < logits.length; token++) {
            scores[token] = logits[token];
            if (seen(history, token)) {
                scores[token] =
                        scores[token] > 0
                                ? scores[token] / policy.repetitionPenalty()
                                : scores[token] * policy.repetitionPenalty();
            }
        }
        if (policy.greedy()) {
            var distribution = new double[logits.length];
            distribution[rankedIds(scores).getFirst()] = 1;
            return distribution;
        }
        for (int token = 0; token < logits.length; token++) {
            scores[token] /= policy.temperature();
        }
        if (policy.topK() > 0 && policy.topK() < logits.length) {
            double kth = scores[rankedIds(scores).get(policy.topK() - 1)];
            for (int token = 0; token < logits.length; token++) {
                if (scores[token] < kth) {
                    scores[token] = Double.NEGATIVE_INFINITY;
                }
            }
        }
        var distribution = softmax(scores);
        if (policy.topP() < 1) {
            double before = 0;
            for (int token : rankedIds(distribution)) {
                double mass = distribution[token];
                if (before >= policy.topP()) {
                    distribution[token] = 0;
                }
                before += mass;
            }
            distribution = normalised(distribution);
        }
        double best = Arrays.stream(distribution).max().orElseThrow();
        for (int token = 0; token < logits.length; token++) {
            if (distribution[token] < policy.minP() * best) {
                distribution[token] = 0;
            }
        }
        return normalised(distribution);
    }

    private static boolean seen(TokenHistory history, int token) {
        return history.distinct().get(token);
    }

    private static List<Integer> rankedIds(double[] values) {
        var ids = new ArrayList<Integer>();
        for (int token = 0; token < values.length; token++) {
            ids.add(token);
        }
        ids.sort(Comparator.comparingDouble((Integer token) -> 0 - values[token]));
        return ids;
    }

    private static double[] softmax(double[] scores) {
        double best = Arrays.stream(scores).max().orElseThrow();
        return normalised(Arrays.stream(scores).map(score -> Math.exp(score - best)).toArray());
    }

    private static double[] normalised(double[] weights) {
        double total = Arrays.stream(weights).sum();
        return Arrays.stream(weights).map(weight -> weight / total).toArray();
    }
}
