package dev.outrider.drafter.bandit;

import dev.outrider.common.ExploreExploit;

/// Upper confidence bounds of speedups. An arm that was not pulled yet comes first. Thread-safe.
///
/// @see "Auer, Cesa-Bianchi and Fischer 2002, Finite-time analysis of the multiarmed bandit problem, figure 1"
final class UpperBounds implements Bandit {
    /// Rounds of a pull.
    static final int HOLD = 4;

    private final Arms arms;
    private final double width;

    /// @param count  number of arms
    /// @param width  of a bound, in speedups
    /// @param memory share of the past that a round leaves
    UpperBounds(int count, double width, double memory) {
        this.arms = new Arms(count, memory);
        this.width = width;
    }

    @Override
    public synchronized Pull pull() {
        for (int arm = 0; arm < arms.count(); arm++) {
            if (arms.rounds(arm) == 0) {
                return new Pull(arm, 1, ExploreExploit.LEARNING);
            }
        }
        double logarithm = 2 * Math.log(Math.max(1, arms.rounds()));
        int chosen = 0;
        int best = 0;
        double highest = 0;
        for (int arm = 0; arm < arms.count(); arm++) {
            double bound = arms.speedup(arm) + width * Math.sqrt(logarithm / arms.rounds(arm));
            if (bound > highest) {
                highest = bound;
                chosen = arm;
            }
            best = arms.speedup(arm) > arms.speedup(best) ? arm : best;
        }
        return new Pull(chosen, 1, chosen == best ? ExploreExploit.BEST : ExploreExploit.TRIAL);
    }

    @Override
    public synchronized void reward(Pull pull, Block block) {
        arms.observe(pull.arm(), block);
    }

    /// What the rounds of each arm gave and took; an arm is a depth that drafts may have. All of the past counts less with every round, whichever
    /// arm it had. Not thread-safe.
    ///
    /// @see "Garivier and Moulines 2011, section 2: discounted UCB"
    private static final class Arms {
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
}
