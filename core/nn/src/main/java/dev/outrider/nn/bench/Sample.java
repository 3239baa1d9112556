package dev.outrider.nn.bench;

import java.util.Arrays;

/// Repeated measurements of one thing.
///
/// @param sorted seconds, in ascending order
public record Sample(double[] sorted) {
    /// @param seconds in any order; copied
    public static Sample of(double[] seconds) {
        var sorted = seconds.clone();
        Arrays.sort(sorted);
        return new Sample(sorted);
    }

    /// The shortest.
    public double best() {
        return sorted[0];
    }

    /// The one in the middle, or the mean of the two.
    public double median() {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
