package dev.outrider.spi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Adds up the weights `exp((z - best) / temperature)` of a whole row and collects the tokens above a floor.
///
/// Collected tokens get weights in double precision. The others, which top-p removes, count in single
/// precision (relative error below 1e-4, about 1e-6 in their sum), because exponentials of 128,000 tokens in
/// double precision are most of what a rule's decision costs. Their sum decides how far top-p reaches and
/// nothing else: the law of the kept tokens keeps all its digits, and it is the same function of the logits
/// wherever the policy is applied.
///
/// The exponential is a Taylor polynomial at a 256th of the power, squared eight times: no bits to rearrange,
/// so the just-in-time compiler turns the whole loop into vector instructions.
///
/// Confined to one thread.
final class TailSum {
    private static final int BLOCK = 1024;

    /// Powers below this, 1e-35 of the best token's weight, count as this one.
    private static final float LEAST = -80;

    private final float[] scores = new float[BLOCK];
    private final float[] weights = new float[BLOCK];
    private final double[] sums = new double[BLOCK];

    /// The sum of all weights.
    ///
    /// @param floor   weight from which tokens are collected
    /// @param support where tokens and weights are appended
    double add(
            MemorySegment logits,
            int vocabulary,
            double best,
            double temperature,
            double floor,
            Support support) {
        Arrays.fill(sums, 0);
        double inverse = 1 / temperature;
        double collected = 0;
        for (int start = 0; start < vocabulary; start += BLOCK) {
            int count = Math.min(BLOCK, vocabulary - start);
            MemorySegment.copy(
                    logits, ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * start, scores, 0, count);
            exponentials(scores, weights, (float) best, (float) inverse, count);
            accumulate(weights, sums, count);
            int next = -1;
            while ((next = nextFrom(weights, next + 1, count, (float) floor)) < count) {
                double weight = Softmax.exp((scores[next] - best) * inverse);
                support.add(start + next, weight);
                sums[next] -= weights[next];
                collected += weight;
            }
        }
        return collected + Softmax.sum(sums);
    }

    private static void exponentials(
            float[] scores, float[] weights, float best, float inverse, int count) {
        for (int index = 0; index < count; index++) {
            float x = Math.max((scores[index] - best) * inverse, LEAST) * (1 / 256f);
            float p = 1 / 720f;
            p = p * x + 1 / 120f;
            p = p * x + 1 / 24f;
            p = p * x + 1 / 6f;
            p = p * x + .5f;
            p = p * x + 1;
            p = p * x + 1;
            p *= p;
            p *= p;
            p *= p;
            p *= p;
            p *= p;
            p *= p;
            p *= p;
            p *= p;
            weights[index] = p;
        }
    }

    private static void accumulate(float[] weights, double[] sums, int count) {
        for (int index = 0; index < count; index++) {
            sums[index] += weights[index];
        }
    }

    /// The first weight of at least the floor; `count` if there is none.
    private static int nextFrom(float[] weights, int from, int count, float floor) {
        int index = from;
        while (index < count && weights[index] < floor) {
            index++;
        }
        return index;
    }
}
