package dev.outrider.engine.length.bandit;

import dev.outrider.common.Reasons;

/// Upper confidence bounds of speedups. An arm that was not pulled yet comes first. Thread-safe.
///
/// @see "Auer, Cesa-Bianchi and Fischer 2002, Finite-time analysis of the multiarmed bandit problem, figure 1 (docs/reference/algorithms.md A9.4)"
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
                return new Pull(arm, 1, Reasons.LEARNING);
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
        return new Pull(chosen, 1, chosen == best ? Reasons.BEST : Reasons.TRIAL);
    }

    @Override
    public synchronized void reward(Pull pull, Block block) {
        arms.observe(pull.arm(), block);
    }
}
