package dev.outrider.engine.length.bandit;

/// What the rounds of each arm gave and took; an arm is a depth that drafts may have. All of the past counts less with every round, whichever
/// arm it had. Not thread-safe.
///
/// @see "Garivier and Moulines 2011, section 2: discounted UCB"
final class Arms {
    private final double memory;
    private final double[] tokens;
    private final double[] nanos;
    private final double[] rounds;

    /// @param count  number of arms
    /// @param memory share of the past that a round leaves
    Arms(int count, double memory) {
        this.memory = memory;
        tokens = new double[count];
        nanos = new double[count];
        rounds = new double[count];
    }

    int count() {
        return rounds.length;
    }

    /// Learns from the rounds of a pull.
    void observe(int arm, Bandit.Block block) {
        double left = Math.pow(memory, block.rounds());
        for (int each = 0; each < rounds.length; each++) {
            tokens[each] *= left;
            nanos[each] *= left;
            rounds[each] *= left;
        }
        tokens[arm] += block.tokens();
        nanos[arm] += Math.max(1, block.nanos());
        rounds[arm] += block.rounds();
    }

    /// Rounds of an arm, as far as they count.
    double rounds(int arm) {
        return rounds[arm];
    }

    /// Rounds of all arms, as far as they count.
    double rounds() {
        double all = 0;
        for (double each : rounds) {
            all += each;
        }
        return all;
    }

    /// How many times as fast as plain decoding, which is arm 0; both were used.
    double speedup(int arm) {
        return tokens[arm] / nanos[arm] * (nanos[0] / tokens[0]);
    }
}
