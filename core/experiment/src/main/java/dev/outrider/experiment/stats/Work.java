package dev.outrider.experiment.stats;

/// Time and tokens of a turn.
record Work(long nanos, long tokens) {
    Work plus(Work other) {
        return new Work(nanos + other.nanos, tokens + other.tokens);
    }

    double perToken() {
        return (double) nanos / tokens;
    }
}
