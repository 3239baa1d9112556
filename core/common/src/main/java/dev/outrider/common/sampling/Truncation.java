package dev.outrider.common.sampling;

import dev.outrider.spi.sampling.SamplingPolicy;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The truncations of `SamplingPolicy`, without sorting the vocabulary.
final class Truncation {
    /// With more tokens than this, one sort is faster than a heap.
    private static final int LARGEST_HEAP = 1024;

    /// Four buckets an octave, from weight 1 down to 2^-64.
    private static final int BUCKETS = 257;

    private static final int BUCKET_SHIFT = 50;
    private static final long TOP_BUCKET = Double.doubleToRawLongBits(1) >>> BUCKET_SHIFT;

    private Truncation() {}

    /// The k-th largest score; `0 < k <= scores.length`.
    static double kthLargest(double[] scores, int k) {
        if (k > LARGEST_HEAP) {
            var sorted = scores.clone();
            Arrays.sort(sorted);
            return sorted[sorted.length - k];
        }
        var heap = Arrays.copyOf(scores, k);
        Arrays.sort(heap); // ascending order is a heap with the smallest on top
        double smallest = heap[0];
        for (int index = k; index < scores.length; index++) {
            if (scores[index] > smallest) {
                replaceSmallest(heap, scores[index]);
                smallest = heap[0];
            }
        }
        return smallest;
    }

    private static void replaceSmallest(double[] heap, double value) {
        int hole = 0;
        for (int child = 1; child < heap.length; child = 2 * hole + 1) {
            if (child + 1 < heap.length && heap[child + 1] < heap[child]) {
                child++;
            }
            if (heap[child] >= value) {
                break;
            }
            heap[hole] = heap[child];
            hole = child;
        }
        heap[hole] = value;
    }

    /// Zeroes every weight that has `topP` of the total or more before it, in order of falling weight and
    /// then rising id. The first token always stays.
    ///
    /// Weights are counted into buckets by magnitude; only the bucket in which the limit falls is sorted.
    ///
    /// @param weights relative to the best token's, which is 1
    /// @param total   their sum
    /// @return the sum of the remaining weights
    static double keepTopP(double[] weights, double total, double topP) {
        double limit = topP * total;
        // Neighbouring tokens are added to different cells, because additions to one cell wait for
        // each other.
        var mass = new double[2 * BUCKETS];
        var counts = new int[BUCKETS];
        for (int token = 0; token < weights.length; token++) {
            int bucket = bucket(weights[token]);
            mass[2 * bucket + (token & 1)] += weights[token];
            counts[bucket]++;
        }
        int crossing = 0;
        double above = 0;
        while (crossing < BUCKETS - 1
                && above + mass[2 * crossing] + mass[2 * crossing + 1] < limit) {
            above += mass[2 * crossing] + mass[2 * crossing + 1];
            crossing++;
        }
        if (counts[crossing] == 0) {
            return total; // rounding put the limit beyond the last weight
        }
        double[] sorted = sortedBucket(weights, crossing, counts[crossing]);
        int rank = sorted.length;
        while (rank > 0 && above < limit) {
            above += sorted[--rank];
        }
        double cut = sorted[rank];
        int tiesDropped = 0;
        while (rank > 0 && sorted[rank - 1] == cut) {
            tiesDropped++;
            rank--;
        }
        return keepFrom(weights, cut, tiesDropped);
    }

    private static double[] sortedBucket(double[] weights, int bucket, int count) {
        double from = bucket == BUCKETS - 1 ? 0 : lowest(bucket);
        double to = bucket == 0 ? Double.MAX_VALUE : lowest(bucket - 1);
        var values = new double[count + 1]; // one to spare: the loop writes before it decides
        int size = 0;
        for (double weight : weights) {
            values[size] = weight;
            size += weight >= from && weight < to ? 1 : 0;
        }
        var sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return sorted;
    }

    /// Keeps weights of at least `cut`, but drops the last `tiesDropped` of those equal to it.
    private static double keepFrom(double[] weights, double cut, int tiesDropped) {
        int left = tiesDropped;
        for (int token = weights.length - 1; left > 0; token--) {
            if (weights[token] == cut) {
                weights[token] = 0;
                left--;
            }
        }
        for (int token = 0; token < weights.length; token++) {
            weights[token] = weights[token] >= cut ? weights[token] : 0;
        }
        return Softmax.sum(weights);
    }

    /// Zeroes weights below `minimum` of the best one's, which is 1, and returns the sum of the others.
    static double keepAtLeast(double[] weights, double minimum) {
        double total = 0;
        for (int token = 0; token < weights.length; token++) {
            if (weights[token] < minimum) {
                weights[token] = 0;
            }
            total += weights[token];
        }
        return total;
    }

    /// The smallest weight of a bucket other than the last.
    private static double lowest(int bucket) {
        return Double.longBitsToDouble((TOP_BUCKET - bucket) << BUCKET_SHIFT);
    }

    private static int bucket(double weight) {
        long fromTop = TOP_BUCKET - (Double.doubleToRawLongBits(weight) >>> BUCKET_SHIFT);
        return (int) Math.min(BUCKETS - 1, fromTop);
    }

    /// Top-p for few kept tokens: one pass over the logits adds up all weights and collects the tokens
    /// above a floor, and only those are sorted. See [TailSum] for what is rounded.
    ///
    /// The rule is that of [Truncation#keepTopP].
    static final class Nucleus {
        /// Weights, relative to the best token's, from which tokens are collected, until they have enough mass. In a language
        /// model's distribution some dozens of tokens are above the first floor.
        private static final double[] FLOORS = {0x1p-9, 0x1p-11, 0x1p-13};

        /// A token with this many times the floor's weight cannot have been left out by rounding.
        private static final double SAFE = 1 + 1e-3;

        private Nucleus() {}

        /// Collects the tokens that top-p keeps, with weights relative to the best token's.
        ///
        /// @param support overwritten
        /// @return false if the tokens above the floor do not hold enough mass; the support is empty then
        static boolean keep(
                SamplingPolicy policy,
                MemorySegment logits,
                int vocabulary,
                WeightedTokens support) {
            var tail = support.tail();
            if (!tail.add(logits, vocabulary, policy.temperature())) {
                support.clear();
                return false;
            }
            for (double floor : FLOORS) {
                support.clear();
                double total = tail.collect(floor, support);
                if (keep(policy.topP() * total, floor * SAFE, support)) {
                    return true;
                }
            }
            support.clear();
            return false;
        }

        /// Keeps the heaviest tokens that reach the limit together, if all of them have a safe weight.
        private static boolean keep(double limit, double safe, WeightedTokens support) {
            int size = support.size();
            double[] sorted = support.sortedWeights();
            double above = 0;
            int rank = size;
            while (rank > 0 && above < limit) {
                above += sorted[--rank];
            }
            if (above < limit || sorted[rank] < safe) {
                return false;
            }
            double cut = sorted[rank];
            int tiesDropped = 0;
            while (rank > 0 && sorted[rank - 1] == cut) {
                tiesDropped++;
                rank--;
            }
            support.keepFrom(cut, tiesDropped);
            return true;
        }
    }
}
