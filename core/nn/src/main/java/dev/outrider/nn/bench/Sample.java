package dev.outrider.nn.bench;

import java.util.Arrays;

/// Repeated measurements of one thing, in seconds, sorted.
record Sample(double[] sorted) {
    static Sample of(double[] seconds) {
        var sorted = seconds.clone();
        Arrays.sort(sorted);
        return new Sample(sorted);
    }

    double best() {
        return sorted[0];
    }

    double median() {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
