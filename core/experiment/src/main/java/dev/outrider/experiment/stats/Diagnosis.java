package dev.outrider.experiment.stats;

import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.engine.model.SpeedupTheory;
import java.util.Comparator;
import java.util.List;

/// The reasons why a measured speedup differs from the formula's. The product of the factors is
/// `measured / predictedByAlphaAndCost`.
///
/// @param alpha                   accepts / (accepts + rejections)
/// @param draftLength             K, mean depth of the drafts
/// @param c                       one draft step over one target pass of one row
/// @param predictedByAlphaAndCost (1 - a^(K+1)) / ((1 - a)(K c + 1))
/// @param predictedByTimes        tokens per round times the time of a plain round over that of this variant's
/// @param measured                median of the paired speedups
/// @param reasons                 in the order in which they are taken into account
/// @see "Leviathan et al. 2023, theorem 3.8, and the assumptions it is proven under"
public record Diagnosis(
        double alpha,
        double draftLength,
        double c,
        double formulaSpeedup,
        double expectedSpeedup,
        double measured,
        List<Reason> reasons) {
    /// One assumption that does not hold.
    ///
    /// @param name    of the reason
    /// @param factor  its effect on the speedup; 1 is none
    /// @param meaning the two numbers that it compares
    public record Reason(String name, double factor, String meaning) {}

    /// The reason with the greatest effect, up or down.
    public Reason greatest() {
        return reasons.stream()
                .max((a, b) -> Double.compare(effect(a), effect(b)))
                .orElseThrow(() -> new IllegalStateException("a diagnosis has reasons"));
    }

    /// The reason that lowers the speedup most.
    public Reason greatestLoss() {
        return reasons.stream()
                .filter(each -> each.factor() > 0)
                .min(Comparator.comparingDouble(Reason::factor))
                .orElseGet(this::greatest);
    }

    private static double effect(Reason reason) {
        return reason.factor() > 0 ? Math.abs(Math.log(reason.factor())) : Double.MAX_VALUE;
    }

    /// Mean times of a round, in nanoseconds.
    private record Round(double draft, double pass, double drop, double engine) {
        static Round of(DecodeMetrics metrics) {
            double rounds = metrics.rounds();
            var times = metrics.times();
            return new Round(
                    times.draft() / rounds,
                    times.score() / rounds,
                    (times.commit() + times.observe()) / rounds,
                    times.engine() / rounds);
        }

        double total() {
            return draft + pass + drop + engine;
        }
    }

    /// @param variant      counts and times of the variant
    /// @param plain     of plain decoding
    /// @param whole     time per token of plain decoding over the variant's, all generations added up
    /// @param measured  median of the paired speedups
    static Diagnosis of(DecodeMetrics variant, DecodeMetrics plain, double whole, double measured) {
        double byTimes = Finite.orZero(variant.predictedSpeedup(plain));
        double formula = Finite.orZero(variant.theoreticalSpeedup(plain.passNanos()));
        double alpha = Finite.orZero(variant.alpha());
        double length = Finite.orZero(variant.meanDraftLength());
        double c = Finite.orZero(variant.costRatio(plain.passNanos()));
        var own = Round.of(variant);
        var other = Round.of(plain);
        double expected = formula * (length * c + 1);
        double one = other.pass();

        double passes = own.pass() + own.draft();
        return new Diagnosis(
                alpha,
                length,
                c,
                formula,
                byTimes,
                measured,
                List.of(
                        reason(
                                "position-dependent alpha",
                                variant.tokensPerRound() / expected,
                                "tokens a round against those of independent guesses accepted with the mean alpha"),
                        reason(
                                "rounds without a draft",
                                (length * c + 1) / (own.draft() / one + 1),
                                "draft time of a round that drafts against that of all rounds"),
                        reason(
                                "verification rows",
                                (one + own.draft()) / passes,
                                "a target pass over one row against one over the rows of a draft"),
                        reason(
                                "observe and commit",
                                passes / (passes + own.drop()) * (one + other.drop()) / one,
                                "keeping cache rows and telling the drafter, here and in plain decoding"),
                        reason(
                                "engine",
                                (passes + own.drop())
                                        / own.total()
                                        * other.total()
                                        / (one + other.drop()),
                                "deciding and everything else, here and in plain decoding"),
                        reason(
                                "prefill and sessions",
                                whole / byTimes,
                                "whole generations against their rounds alone"),
                        reason(
                                "median of prompts",
                                measured / whole,
                                "the median prompt against all tokens over all time")));
    }

    private static Reason reason(String name, double factor, String meaning) {
        return new Reason(name, Finite.orZero(factor), meaning);
    }

    /// Returns the draft length that is the best under the formula for this alpha and c.
    public int bestLength() {
        return SpeedupTheory.bestLength(Math.clamp(alpha, 0, 1), c, 64);
    }

    /// Rates for reports: JSON has no NaN, and a rate without observations is shown as 0.
    public static final class Finite {
        private Finite() {}

        /// Returns the value, or 0 if it is NaN or infinite.
        public static double orZero(double value) {
            return Double.isFinite(value) ? value : 0;
        }
    }
}
