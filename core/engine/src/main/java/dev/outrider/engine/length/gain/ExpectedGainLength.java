package dev.outrider.engine.length.gain;

import dev.outrider.common.ExploreExploit;
import dev.outrider.common.StickyChoice;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeEvent.TargetPass;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.Optional;
import java.util.function.Supplier;

/// The depth of most expected tokens for its measured time, 0 included: where no draft pays, plain decoding. Sometimes
/// it tries another depth, to see what has changed.
///
/// In a batch a sequence pays for its own rows of the shared pass, and rows have a cost for drafters that predict acceptance.
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
        if (initial < 1 || max < initial || max > GREATEST) {
            throw new IllegalArgumentException(
                    "initial %d and max %d must satisfy 1 <= initial <= max <= %d"
                            .formatted(initial, max, GREATEST));
        }
        if (!(trials >= 0 && trials < 1)) {
            throw new IllegalArgumentException("trials %s must be in [0, 1)".formatted(trials));
        }
    }

    @Override
    public DraftLengthPolicy start() {
        return new GainPolicy(this, new Experience(max, trials));
    }

    /// Starts sequences that learn from one another.
    public Supplier<DraftLengthPolicy> shared() {
        var experience = new Experience(max, trials);
        return () -> new GainPolicy(this, experience);
    }

    /// Chooses for one sequence: what all sequences learned of costs, and its own acceptance, to which theirs is the prior. Confined to one thread.
    private static final class GainPolicy implements DraftLengthPolicy {
        /// Number of rounds of this sequence that the experience of all sequences is worth.
        private static final double PRIOR_ROUNDS = 4;

        private final ExpectedGainLength settings;
        private final Experience experience;
        private final Survival survival;
        private final StickyChoice held = new StickyChoice(ExploreExploit.HOLD);
        private int chosen;
        private int length;
        private double bestRate;
        private double cost;
        private Optional<TargetPass> pass = Optional.empty();
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
            cost = pass.map(experience::perRow).orElse(0.0) * bestRate;
            return length;
        }

        /// {@return the tokens that the best depth would emit in the time that one more row adds to the pass} Trials draft at half of this
        /// cost: otherwise guesses that look too expensive would never be drafted, and their real cost never seen.
        @Override
        public double rowCost() {
            return Math.min(1, length == chosen ? cost : cost / 2);
        }

        @Override
        public String reason() {
            return reason;
        }

        private int decide() {
            return experience
                    .known()
                    .map(this::bestOrTrial)
                    .orElseGet(() -> experience.wantsPlain() ? 0 : settings.initial());
        }

        private int bestOrTrial(Experience.Known known) {
            var survivals = survival.curve(known.survival(), PRIOR_ROUNDS);
            var tokens = expectedTokens(survivals);
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

        /// Of a round by depth: `1 + S_1 + ... + S_K`.
        private static double[] expectedTokens(double[] survivals) {
            var tokens = survivals.clone();
            for (int depth = 1; depth < tokens.length; depth++) {
                tokens[depth] += tokens[depth - 1];
            }
            return tokens;
        }

        @Override
        public void observe(RoundCompleted round) {
            pass = Optional.of(round.pass());
            int accepted = round.verdict().acceptedLength();
            survival.observe(length, accepted);
            double nanos = experience.observe(length, round, held.settled());
            if (bestRate > 0 && length != chosen) {
                experience.explored(length, nanos - (accepted + 1) / bestRate);
            }
        }
    }
}
