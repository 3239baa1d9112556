package dev.outrider.drafter.ensemble;

import dev.outrider.common.ExploreExploit;
import dev.outrider.common.StickyChoice;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.Arrays;

/// A bandit, as a control for policies that expect gains: discounted UCB1 over the depths from 0 on. It keeps a depth for some
/// rounds, and it knows only the tokens and the time of each depth's rounds. The sequences of one variant share it. Confined to one
/// thread.
///
/// @see "Auer, Cesa-Bianchi and Fischer 2002, figure 1; Garivier and Moulines 2011, section 2: discounted UCB; Hou et al. 2025
///     (BanditSpec)"
final class UpperBounds {
    /// Width of a bound in speedups: the bound of an arm with n of N rounds is `WIDTH sqrt(2 ln N / n)` above its mean.
    private static final double WIDTH = 0.1;

    /// The factor by which every round discounts the past.
    private static final double MEMORY = 0.999;

    private final double[] tokens;
    private final double[] nanos;
    private final double[] rounds;

    /// @param max greatest depth
    UpperBounds(int max) {
        tokens = new double[max + 1];
        nanos = new double[max + 1];
        rounds = new double[max + 1];
    }

    /// Starts choosing for one sequence.
    DraftLengthPolicy start() {
        var held = new StickyChoice(ExploreExploit.HOLD);
        return new DraftLengthPolicy() {
            private int depth;

            @Override
            public int next() {
                depth = held.next(UpperBounds.this::highest);
                return depth;
            }

            @Override
            public String reason() {
                return "bound";
            }

            @Override
            public void observe(RoundCompleted round) {
                if (held.settled()) {
                    add(depth, round.verdict().acceptedLength() + 1, round.times().total());
                }
            }
        };
    }

    /// Returns the depth with the highest bound; a depth that was not used yet comes first.
    private int highest() {
        double logarithm = 2 * Math.log(Math.max(1, Arrays.stream(rounds).sum()));
        int chosen = 0;
        double highest = 0;
        for (int arm = 0; arm < rounds.length; arm++) {
            if (rounds[arm] == 0) {
                return arm;
            }
            double speedup = tokens[arm] / nanos[arm] * (nanos[0] / tokens[0]);
            double bound = speedup + WIDTH * Math.sqrt(logarithm / rounds[arm]);
            if (bound > highest) {
                highest = bound;
                chosen = arm;
            }
        }
        return chosen;
    }

    private void add(int arm, int emitted, double time) {
        for (int each = 0; each < rounds.length; each++) {
            tokens[each] *= MEMORY;
            nanos[each] *= MEMORY;
            rounds[each] *= MEMORY;
        }
        tokens[arm] += emitted;
        nanos[arm] += Math.max(1, time);
        rounds[arm]++;
    }
}
