package dev.outrider.engine.length;

import dev.outrider.common.ExploreExploit;
import dev.outrider.common.Require;
import dev.outrider.common.StickyChoice;
import dev.outrider.engine.model.SpeedupTheory;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;

/// The depth with the most expected tokens for its measured time. It may be 0: if no draft pays, the policy decodes plainly. It
/// sometimes explores another depth, to notice changes.
///
/// In a batch a sequence pays for its own rows of the shared pass.
///
/// Lengths follow measured times, so sampled output cannot be repeated from a seed; it stays exact.
///
/// @param initial depth of the first drafts, at least 1
/// @param max     greatest depth
/// @param trials  share of the time that trials of other depths may cost beyond the best one, in `[0, 1)`
@Doc(
        "The length of most expected tokens for its measured time, 0 included: plain decoding where no draft pays.")
public record ExpectedGainLength(
        @Default("4") @Doc("Length of the first drafts.") int initial,
        @Default("16") @Doc("Greatest length.") int max,
        @Default("0.01")
                @Doc(
                        "Share of the time that trials of other lengths may cost beyond the best one, in [0, 1): what it takes to notice a change.")
                double trials)
        implements DraftLengthPlan {
    private static final int GREATEST = 256;

    public ExpectedGainLength {
        Require.that(
                initial >= 1 && max >= initial && max <= GREATEST,
                "initial %d and max %d must satisfy 1 <= initial <= max <= %d",
                initial,
                max,
                GREATEST);
        Require.that(trials >= 0 && trials < 1, "trials %s must be in [0, 1)", trials);
    }

    @Override
    public DraftLengthPolicy start() {
        return shared().get();
    }

    /// Starts sequences that learn from one another.
    @Override
    public Supplier<DraftLengthPolicy> shared() {
        var experience = new Experience(max, trials);
        return () -> new GainPolicy(this, experience);
    }

    /// Chooses for one sequence, from the costs that all sequences learned and from its own acceptance, whose prior is the
    /// acceptance of all sequences. Confined to one thread.
    private static final class GainPolicy implements DraftLengthPolicy {
        /// The number of rounds of this sequence that the acceptance of all sequences counts as.
        private static final double PRIOR_ROUNDS = 4;

        private final ExpectedGainLength settings;
        private final Experience experience;
        private final Survival survival;
        private final StickyChoice held = new StickyChoice(ExploreExploit.HOLD);
        private int chosen;
        private int length;
        private double bestRate;
        private String reason = ExploreExploit.LEARNING;

        GainPolicy(ExpectedGainLength settings, Experience experience) {
            this.settings = settings;
            this.experience = experience;
            this.survival = new Survival(settings.max(), ExploreExploit.SEQUENCE_MEMORY);
            this.chosen = settings.initial();
        }

        @Override
        public int next() {
            length = held.next(this::decide);
            return length;
        }

        @Override
        public String reason() {
            return reason;
        }

        private int decide() {
            return experience.known().map(this::bestOrTrial).orElseGet(this::learn);
        }

        private int learn() {
            bestRate = 0;
            reason = ExploreExploit.LEARNING;
            return experience.wantsPlain() ? 0 : settings.initial();
        }

        private int bestOrTrial(Experience.Known known) {
            var survivals = survival.curve(known.survival(), PRIOR_ROUNDS);
            double[] tokens = SpeedupTheory.expectedTokens(survivals);
            double[] nanos = known.nanos();
            int best =
                    ExploreExploit.best(
                            chosen,
                            tokens.length,
                            depth -> tokens[depth] / nanos[depth],
                            ExploreExploit.MARGIN);
            chosen = best;
            bestRate = tokens[best] / nanos[best];
            var trial =
                    experience.trial(
                            best,
                            depth ->
                                    ExploreExploit.HOLD
                                            * (nanos[depth] - tokens[depth] / bestRate));
            reason = trial.isPresent() ? ExploreExploit.TRIAL : ExploreExploit.BEST;
            if (best == 0 && trial.isEmpty()) {
                held.keep(ExploreExploit.PLAIN_HOLD);
            }
            return trial.orElse(best);
        }

        @Override
        public void observe(RoundCompleted round) {
            int accepted = round.verdict().acceptedLength();
            survival.observe(length, accepted);
            double nanos = experience.observe(length, round, held.settled());
            if (bestRate > 0 && length != chosen) {
                experience.explored(length, nanos - (accepted + 1) / bestRate);
            }
        }
    }

    /// `S_d`: of the rounds whose draft may be at least d deep, the share that accepts at least d tokens; an exponential average
    /// for each depth. A drafter that proposed nothing counts as rejected at every depth. Not thread-safe.
    static final class Survival {
        private final double memory;
        private final double[] successes;
        private final double[] trials;

        /// @param max    greatest depth
        /// @param memory share of the past that a round leaves
        Survival(int max, double memory) {
            this.memory = memory;
            successes = new double[max + 1];
            trials = new double[max + 1];
        }

        /// Learns from a round.
        ///
        /// @param depth    the depth that its draft was allowed
        /// @param accepted tokens of it
        void observe(int depth, int accepted) {
            for (int d = 1; d <= depth; d++) {
                successes[d] = memory * successes[d] + (accepted >= d ? 1 : 0);
                trials[d] = memory * trials[d] + 1;
            }
        }

        /// `S_d` for d from 0, falling. For depths that were not tried, each further guess is as likely as the mean of those that were.
        ///
        /// @param prior  the survival assumed beforehand
        /// @param weight rounds that the prior counts as
        double[] curve(double[] prior, double weight) {
            var curve = new double[successes.length];
            curve[0] = 1;
            int tried = 0;
            for (int d = 1; d < curve.length && trials[d] > 0; d++) {
                double own = (weight * prior[d] + successes[d]) / (weight + trials[d]);
                curve[d] = Math.min(curve[d - 1], own);
                tried = d;
            }
            double each = tried == 0 ? prior[1] : Math.pow(curve[tried], 1.0 / tried);
            for (int d = tried + 1; d < curve.length; d++) {
                curve[d] = curve[d - 1] * each;
            }
            return curve;
        }
    }

    /// Costs and acceptance learned by the sequences of one variant, and the cost of exploring depths. Thread-safe.
    static final class Experience {
        /// Assumed probability that a guess is accepted, before any was seen; it counts as one round.
        private static final double ASSUMED_ACCEPTANCE = 0.6;

        /// Memory of acceptance over all sequences: about 100 rounds, since sequences differ less than the rounds of one.
        private static final double MEMORY = 0.99;

        /// Passes of a kind that are timed before those of the other kind.
        private static final int LEARNED = 2;

        private final Map<Integer, LoadCosts> loads = new HashMap<>();
        private final RowCosts rows = new RowCosts();
        private final Survival survival;
        private final double[] assumed;
        private final ExploreExploit choice;
        private LoadCosts load;

        /// @param max   greatest depth
        /// @param share of the time that trials may cost beyond the best depth
        Experience(int max, double share) {
            choice = ExploreExploit.withOneBudget(max + 1, share);
            survival = new Survival(max, MEMORY);
            assumed = new double[max + 1];
            load = new LoadCosts(max);
            loads.put(1, load);
            for (int depth = 0; depth <= max; depth++) {
                assumed[depth] = Math.pow(ASSUMED_ACCEPTANCE, depth);
            }
        }

        /// Learned costs and acceptance.
        ///
        /// @param nanos    of a round by depth
        /// @param survival `S_d` over all sequences
        record Known(double[] nanos, double[] survival) {}

        /// Learns from a round.
        ///
        /// @param depth  the depth that its draft was allowed
        /// @param timely whether its time is typical of such rounds
        /// @return nanoseconds of the round, where its own rows count as its part of a shared pass
        synchronized double observe(int depth, RoundCompleted round, boolean timely) {
            rows.observe(round.pass());
            double nanos = rows.own(round);
            load = load(round.pass().sequences());
            if (timely) {
                load.time(depth, nanos, 1.0 / round.pass().sequences());
            }
            survival.observe(depth, round.verdict().acceptedLength());
            choice.used(depth);
            choice.spend(nanos);
            return nanos;
        }

        /// Returns the costs of passes with about so many sequences: all numbers from a power of two up to the next share one
        /// table.
        private LoadCosts load(int sequences) {
            int least = Integer.highestOneBit(sequences);
            return loads.computeIfAbsent(least, _ -> new LoadCosts(assumed.length - 1));
        }

        /// Returns what was learned, once plain passes and passes of drafts have been timed at the present load.
        synchronized Optional<Known> known() {
            return load.comparable()
                    ? Optional.of(new Known(load.costs.curve(), survival.curve(assumed, 1)))
                    : Optional.empty();
        }

        /// Returns whether plain rounds are to be timed next, as long as too little is known.
        synchronized boolean wantsPlain() {
            return load.wantsPlain();
        }

        /// A depth to explore, if one is affordable: at most twice as deep as the best one and one more.
        ///
        /// @param loss nanoseconds that exploring a depth is expected to cost beyond the best one
        synchronized OptionalInt trial(int best, IntToDoubleFunction loss) {
            return choice.trial(best, depth -> depth <= 2 * best + 1, loss);
        }

        /// Reports the cost of an explored round beyond the best depth, which may be negative.
        synchronized void explored(int depth, double nanos) {
            choice.explored(depth, nanos);
        }

        /// The costs of rounds at one load: the best depth of one sequence is not that of sixteen. Both kinds of passes are timed
        /// twice, and the first time is dropped: the first passes of a run are slower than all later ones.
        private static final class LoadCosts {
            private final RoundCosts costs;
            private final double[] timed = new double[2];

            LoadCosts(int max) {
                costs = new RoundCosts(max);
            }

            void time(int depth, double nanos, double share) {
                int kind = depth > 0 ? 1 : 0;
                boolean first = timed[kind] < LEARNED;
                timed[kind] += share;
                if (first && timed[kind] >= LEARNED) {
                    costs.forget(kind == 0);
                } else {
                    costs.observe(depth, nanos, share);
                }
            }

            boolean comparable() {
                return timed[0] >= 2 * LEARNED && timed[1] >= 2 * LEARNED && costs.comparable();
            }

            boolean wantsPlain() {
                return timed[0] < LEARNED || timed[1] >= LEARNED && timed[0] < 2 * LEARNED;
            }
        }
    }
}
