package dev.outrider.experiment.verify;

import dev.outrider.engine.exactness.GoodnessOfFit;
import java.util.List;
import java.util.Optional;

/// What was found out about one variant. Written as JSON as it is.
///
/// @param verdict    `not rejected`, `REJECTED` or `inconclusive`
/// @param reason     a sentence that says why
/// @param level      significance level of each test: the run's false-alarm rate over the number of its tests
/// @param tests      tests of the distribution; empty at temperature 0
/// @param impossible tokens whose probability at their place is 0 but for rounding at the edge of a truncation
/// @param acrossRounds share of the joint distribution's samples that were decided by tokens of two rounds or more
/// @param greedy     comparison of argmax outputs, if one was made
public record Evidence(
        String verdict,
        String reason,
        double level,
        List<DistributionTest> tests,
        long impossible,
        double acrossRounds,
        Optional<Greedy> greedy) {
    /// Nothing speaks against the promise, and enough was looked at.
    public static final String NOT_REJECTED = "not rejected";

    /// The output is not the target's.
    public static final String REJECTED = "REJECTED";

    /// Nothing speaks against the promise, but a fault that matters might have been missed.
    public static final String INCONCLUSIVE = "inconclusive";

    public Evidence {
        tests = List.copyOf(tests);
    }

    /// Whether the promise is refuted.
    public boolean rejected() {
        return verdict.equals(REJECTED);
    }

    /// The smallest p-value of any test; 1 without tests.
    public double smallestP() {
        return tests.stream().mapToDouble(DistributionTest::pValue).min().orElse(1);
    }

    /// Independent observations of all tests.
    public long observations() {
        return tests.stream().mapToLong(DistributionTest::samples).max().orElse(0);
    }

    /// One chi-square test.
    ///
    /// @param name          what was counted
    /// @param effect        Cohen's w, less what chance contributes, with its 95 % interval
    /// @param variationMost upper end of the interval of the total variation distance on the cells
    /// @param found90       smallest w these samples find with 90 % probability
    public record DistributionTest(
            String name,
            long samples,
            int cells,
            double statistic,
            double pValue,
            double effect,
            double effectLow,
            double effectHigh,
            double variationMost,
            double found90,
            double found99,
            boolean rejected) {
        /// Larger than any effect: what a test with too few samples would have found.
        static final double ENDLESS = 1e6;

        /// Probability with which an effect counts as found.
        static final double POWER = .9;

        static DistributionTest of(String name, GoodnessOfFit test) {
            return new DistributionTest(
                    name,
                    test.samples(),
                    test.cells(),
                    test.statistic(),
                    test.pValue(),
                    test.effect(),
                    finite(test.effectLow()),
                    finite(test.effectHigh()),
                    Math.min(1, finite(test.effectHigh()) / 2),
                    finite(test.found(POWER)),
                    finite(test.found(.99)),
                    test.rejected());
        }

        /// JSON has no infinity.
        private static double finite(double size) {
            return Math.min(size, ENDLESS);
        }
    }

    /// Argmax outputs of the variant against those of plain decoding.
    ///
    /// @param prompts    prompts compared
    /// @param equal      prompts with equal token ids
    /// @param rounding   prompts that differ where the two best logits are closer than rounding
    /// @param largestGap largest gap of the two best logits at a first difference; 0 without one
    public record Greedy(int prompts, int equal, int rounding, double largestGap) {
        /// Whether some difference is not explained by rounding.
        public boolean differs() {
            return equal + rounding < prompts;
        }
    }
}
