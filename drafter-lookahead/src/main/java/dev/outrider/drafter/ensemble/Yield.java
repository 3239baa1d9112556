package dev.outrider.drafter.ensemble;

/// Tokens and time of rounds: sums in which a round counts less with every later one. Not
/// thread-safe.
final class Yield {
    private final double memory;
    private double tokens;
    private double nanos;
    private double rounds;
    private double timed;

    /// An expected round.
    ///
    /// @param tokens emitted
    /// @param nanos  time of the round
    record Round(double tokens, double nanos) {
        /// Returns the tokens per nanosecond.
        double rate() {
            return tokens / nanos;
        }
    }

    /// @param memory share of the past that remains after a round
    Yield(double memory) {
        this.memory = memory;
    }

    void add(double emitted, double time) {
        tokens = memory * tokens + emitted;
        nanos = memory * nanos + time;
        rounds = memory * rounds + 1;
        timed = memory * timed + 1;
    }

    /// Outdated times count as one round from now on: the machine may have changed since then.
    void forgetTimes() {
        if (timed > 1) {
            nanos /= timed;
            timed = 1;
        }
    }

    boolean known() {
        return rounds > 0;
    }

    /// Returns the mean round; there must be one.
    Round mean() {
        return new Round(tokens / rounds, nanos / timed);
    }

    /// Returns the mean round, with a prior of another kind of rounds.
    Round mean(Round prior, double weight) {
        return new Round(
                (weight * prior.tokens() + tokens) / (weight + rounds),
                (weight * prior.nanos() + nanos) / (weight + timed));
    }
}
