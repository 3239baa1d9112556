package dev.outrider.engine.length.gain;

import dev.outrider.common.TrialBudget;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeEvent.TargetPass;
import java.util.Optional;

/// What the sequences of one variant have learned of its costs and its acceptance, and what trying depths out has cost them. Thread-safe.
final class Experience {
    /// What is thought of a guess before any was seen.
    private static final double FIRST_THOUGHT = 0.6;

    private static final double MEMORY = 0.99;

    /// Passes of a kind that are timed before those of the other kind.
    private static final int LEARNED = 2;

    private final RoundCosts costs;
    private final RowCosts rows = new RowCosts();
    private final Survival survival;
    private final double[] thought;
    private final long[] lastSeen;
    private final double[] timed = new double[2];
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
    /// @param depth  that its draft was allowed
    /// @param timely whether its time says what such rounds take
    /// @return nanoseconds that it took, its own rows of a shared pass as its own
    synchronized double observe(int depth, RoundCompleted round, boolean timely) {
        rows.observe(round.pass());
        double nanos = rows.own(round);
        if (timely) {
            time(depth, nanos, 1.0 / round.pass().sequences());
        }
        survival.observe(depth, round.verdict().acceptedLength());
        lastSeen[depth] = ++rounds;
        trials.spend(nanos);
        return nanos;
    }

    private void time(int depth, double nanos, double share) {
        int kind = depth > 0 ? 1 : 0;
        boolean first = timed[kind] < LEARNED;
        timed[kind] += share;
        if (first && timed[kind] >= LEARNED) {
            costs.forget();
        } else {
            costs.observe(depth, nanos, share);
        }
    }

    /// Nanoseconds that a row more adds to a pass like this one.
    synchronized double perRow(TargetPass pass) {
        return rows.perRow(pass);
    }

    /// What is known, once plain passes and passes of drafts have been timed, each twice, and the first time forgotten: the first passes of a
    /// run are slower than all later ones.
    synchronized Optional<Known> known() {
        return timed[0] >= 2 * LEARNED && timed[1] >= 2 * LEARNED
                ? Optional.of(new Known(costs.curve(), survival.curve(thought, 1)))
                : Optional.empty();
    }

    /// Whether, as long as too little is known, it is plain rounds that are to be timed next.
    synchronized boolean wantsPlain() {
        return timed[0] < LEARNED || timed[1] >= LEARNED && timed[0] < 2 * LEARNED;
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
