package dev.outrider.engine.length.gain;

import dev.outrider.common.ExploreExploit;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeEvent.TargetPass;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;

/// What the sequences of one variant have learned of its costs and its acceptance, and what trying depths out has cost them. Thread-safe.
final class Experience {
    /// Assumed probability that a guess is accepted, before any was seen; it counts as one round.
    private static final double ASSUMED_ACCEPTANCE = 0.6;

    /// Memory of acceptance over all sequences: about 100 rounds, since sequences differ less than the rounds of one.
    private static final double MEMORY = 0.99;

    /// Passes of a kind that are timed before those of the other kind.
    private static final int LEARNED = 2;

    private final RoundCosts costs;
    private final RowCosts rows = new RowCosts();
    private final Survival survival;
    private final double[] assumed;
    private final double[] timed = new double[2];
    private final ExploreExploit choice;

    /// @param max   greatest depth
    /// @param share of the time that trials may cost beyond the best depth
    Experience(int max, double share) {
        choice = ExploreExploit.withOneBudget(max + 1, share);
        costs = new RoundCosts(max);
        survival = new Survival(max, MEMORY);
        assumed = new double[max + 1];
        for (int depth = 0; depth <= max; depth++) {
            assumed[depth] = Math.pow(ASSUMED_ACCEPTANCE, depth);
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
        choice.used(depth);
        choice.spend(nanos);
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
                ? Optional.of(new Known(costs.curve(), survival.curve(assumed, 1)))
                : Optional.empty();
    }

    /// Whether, as long as too little is known, it is plain rounds that are to be timed next.
    synchronized boolean wantsPlain() {
        return timed[0] < LEARNED || timed[1] >= LEARNED && timed[0] < 2 * LEARNED;
    }

    /// A depth to explore, if one is affordable: at most twice as deep as the best one and one more.
    ///
    /// @param loss nanoseconds that exploring a depth is expected to cost beyond the best one
    synchronized OptionalInt trial(int best, IntToDoubleFunction loss) {
        return choice.trial(best, depth -> depth <= 2 * best + 1, loss);
    }

    /// A round of another depth has cost so much beyond the best one, or less than nothing.
    synchronized void explored(int depth, double nanos) {
        choice.explored(depth, nanos);
    }
}
