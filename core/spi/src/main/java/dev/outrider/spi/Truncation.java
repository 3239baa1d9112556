package dev.outrider.spi;

import java.util.Arrays;

/// The truncations of [SamplingPolicy], without sorting the vocabulary.
final class Truncation {
    /// Above this many, one sort is cheaper than a heap.
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
    /// @return the sum of what stays
    static double keepTopP(double[] weights, double total, double topP) {
        double limit = topP * total;
        // All weights below this together are less than half of what may be cut, so all are cut.
        double floor = (total - limit) / (2.0 * weights.length);
        var mass = new double[BUCKETS];
        var counts = new int[BUCKETS];
        for (double weight : weights) {
            if (weight >= floor) {
                int bucket = bucket(weight);
                mass[bucket] += weight;
                counts[bucket]++;
            }
        }
        int crossing = 0;
        double above = 0;
        while (crossing < BUCKETS - 1 && above + mass[crossing] < limit) {
            above += mass[crossing++];
        }
        if (counts[crossing] == 0) {
            return total; // rounding put the limit beyond the last weight
        }
        var sorted = new double[counts[crossing]];
        int size = 0;
        for (double weight : weights) {
            if (weight >= floor && bucket(weight) == crossing) {
                sorted[size++] = weight;
            }
        }
        Arrays.sort(sorted);
        double cut = Double.MAX_VALUE;
        int atCut = 0;
        for (int rank = size - 1; rank >= 0 && above < limit; rank--) {
            atCut = sorted[rank] == cut ? atCut + 1 : 1;
            cut = sorted[rank];
            above += cut;
        }
        return keepFrom(weights, cut, atCut);
    }

    /// Keeps weights above `cut` and the first `atCut` of those equal to it.
    private static double keepFrom(double[] weights, double cut, int atCut) {
        double total = 0;
        int left = atCut;
        for (int token = 0; token < weights.length; token++) {
            double weight = weights[token];
            if (weight > cut || weight == cut && left-- > 0) {
                total += weight;
            } else {
                weights[token] = 0;
            }
        }
        return total;
    }

    /// Zeroes weights below `minimum` of the best one's, which is 1, and returns the sum of what stays.
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

    private static int bucket(double weight) {
        long fromTop = TOP_BUCKET - (Double.doubleToRawLongBits(weight) >>> BUCKET_SHIFT);
        return (int) Math.min(BUCKETS - 1, fromTop);
    }
}
