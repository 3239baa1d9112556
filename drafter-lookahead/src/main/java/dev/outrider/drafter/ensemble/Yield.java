package dev.outrider.drafter.ensemble;

/// What rounds gave and took: sums in which a round counts less with every later one. Not thread-safe.
final class Yield {
    private final double memory;
    private double tokens;
    private double nanos;
    private double rounds;
    private double timed;

    /// A round as it may be expected.
    ///
    /// @param tokens that it emits
    /// @param nanos  that it takes
    record Round(double tokens, double nanos) {
        /// Tokens a nanosecond.
        double rate() {
            return tokens / nanos;
        }
    }

    /// @param memory share of the past that a round leaves
    Yield(double memory) {
        this.memory = memory;
    }

    void add(double emitted, double time) {
        tokens = memory * tokens + emitted;
        nanos = memory * nanos + time;
        rounds = memory * rounds + 1;
        timed = memory * timed + 1;
    }

    /// Times of long ago count as one round from now on: since then the machine may have warmed up, or cooled down.
    void forgetTimes() {
        if (timed > 1) {
            nanos /= timed;
            timed = 1;
        }
    }

    boolean known() {
        return rounds > 0;
    }

    /// The mean round; there was one.
    Round mean() {
        return new Round(tokens / rounds, nanos / timed);
    }

    /// The mean round, before which there were some of another kind.
    Round mean(Round prior, double weight) {
        return new Round(
                (weight * prior.tokens() + tokens) / (weight + rounds),
                (weight * prior.nanos() + nanos) / (weight + timed));
    }
}
