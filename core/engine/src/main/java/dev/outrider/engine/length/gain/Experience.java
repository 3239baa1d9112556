package dev.outrider.engine.length.gain;

import dev.outrider.common.TrialBudget;
import java.util.Optional;

/// What the sequences of one variant have learned of its costs and its acceptance, and what trying depths out has cost them. Thread-safe.
final class Experience {
    /// What is thought of a guess before any was seen.
    private static final double FIRST_THOUGHT = 0.6;

    private static final double MEMORY = 0.99;

    private final RoundCosts costs;
    private final Survival survival;
    private final double[] thought;
    private final long[] lastSeen;
    private final TrialBudget trials;
    private long rounds;

    /// @param most  greatest depth
    /// @param share of the time that trials may cost beyond the best depth
    Experience(int most, double share) {
        trials = new TrialBudget(share);
        costs = new RoundCosts(most);
        survival = new Survival(most, MEMORY);
        lastSeen = new long[most + 1];
        thought = new double[most + 1];
        for (int depth = 0; depth <= most; depth++) {
            thought[depth] = Math.pow(FIRST_THOUGHT, depth);
        }
    }

    /// What is known.
    ///
    /// @param nanos    of a round by depth
    /// @param survival `S_d` over all sequences
    record Known(double[] nanos, double[] survival) {}

    /// Learns from a round.
    ///
    /// @param nanos  that it took
    /// @param timely whether its time says what such rounds take
    synchronized void observe(int depth, int accepted, double nanos, boolean timely) {
        if (timely) {
            costs.observe(depth, nanos);
        }
        survival.observe(depth, accepted);
        lastSeen[depth] = ++rounds;
        trials.spend(nanos);
    }

    /// What is known, once plain rounds and drafts have been timed.
    synchronized Optional<Known> known() {
        return costs.knows(0) && costs.knowsDrafts()
                ? Optional.of(new Known(costs.curve(), survival.curve(thought, 1)))
                : Optional.empty();
    }

    /// Whether plain rounds have been timed.
    synchronized boolean knowsPlain() {
        return costs.knows(0);
    }

    /// The depth that was longest not used, among those up to `most` but one.
    synchronized int oldest(int most, int but) {
        int oldest = but == 0 ? 1 : 0;
        for (int depth = oldest + 1; depth <= most; depth++) {
            if (depth != but && lastSeen[depth] < lastSeen[oldest]) {
                oldest = depth;
            }
        }
        return oldest;
    }

    /// Whether a trial may cost so much beyond the best depth.
    synchronized boolean affords(double nanos) {
        return trials.affords(nanos);
    }

    /// A trial has cost so much beyond the best depth, or less than nothing.
    synchronized void tried(double nanos) {
        trials.tried(nanos);
    }
}
