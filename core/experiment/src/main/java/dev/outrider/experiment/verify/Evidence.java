package dev.outrider.experiment.verify;

import dev.outrider.engine.exactness.GoodnessOfFit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The result of the tests of one variant; written as JSON.
///
/// @param verdict    `not rejected`, `REJECTED` or `inconclusive`
/// @param reason     a sentence with the reason
/// @param level      significance level of each test: the run's false-alarm rate over the number of its tests
/// @param tests      tests of the distribution; empty at temperature 0
/// @param impossible tokens whose probability at their place is 0, rounding at the edge of a truncation aside
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
    /// No test rejects the promise, and there were enough samples.
    public static final String NOT_REJECTED = "not rejected";

    /// The output is not the target's.
    public static final String REJECTED = "REJECTED";

    /// No test rejects the promise, but there were too few samples to find a fault of the wanted size.
    public static final String INCONCLUSIVE = "inconclusive";

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
    /// @param name          the counted quantity
    /// @param effect        Cohen's w, less the contribution of chance, with its 95 % interval
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
        /// Larger than any effect: the value of `found90` for a test with too few samples.
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
    /// @param rounding   prompts whose first difference is at a place where the gap of the two best logits is within rounding
    /// @param largestGap largest gap of the two best logits at a first difference; 0 without one
    public record Greedy(int prompts, int equal, int rounding, double largestGap) {
        /// Whether some difference is not explained by rounding.
        public boolean differs() {
            return equal + rounding < prompts;
        }
    }

    /// The conclusion from the tests.
    ///
    /// @param verdict one of the words of [Evidence]
    /// @param reason  a sentence
    record Verdicts(String verdict, String reason) {
        /// @param interrupted whether sampling ended before its limits
        static Verdicts of(
                List<DistributionTest> tests,
                Optional<Greedy> greedy,
                double acrossRounds,
                VerificationSettings settings,
                boolean interrupted) {
            var against = new ArrayList<String>();
            greedy.filter(Greedy::differs).ifPresent(each -> against.add(difference(each)));
            tests.stream()
                    .filter(DistributionTest::rejected)
                    .forEach(test ->
                            against.add(
                                    "%s: p = %s, w = %s"
                                            .formatted(
                                                    test.name(),
                                                    number("%.2g", test.pValue()),
                                                    number("%.2f", test.effect()))));
            if (!against.isEmpty()) {
                return new Verdicts(Evidence.REJECTED, String.join("; ", against));
            }
            if (tests.isEmpty()) {
                return greedy.map(each -> new Verdicts(Evidence.NOT_REJECTED, agreement(each)))
                        .orElse(new Verdicts(Evidence.INCONCLUSIVE, "nothing was compared"));
            }
            double blind =
                    Math.max(tests.getFirst().found90(), Math.max(tests.get(1).found90(), 0));
            if (blind >= DistributionTest.ENDLESS) {
                return new Verdicts(
                        Evidence.INCONCLUSIVE,
                        "a test had too few samples to find anything; "
                                + enough(blind, tests, settings, interrupted));
            }
            if (blind > settings.effect()) {
                return new Verdicts(
                        Evidence.INCONCLUSIVE,
                        "effects below w = %s may have been missed, expected %s; %s"
                                .formatted(
                                        number("%.2f", blind),
                                        number("%.2f", settings.effect()),
                                        enough(blind, tests, settings, interrupted)));
            }
            if (acrossRounds <= 0) {
                return new Verdicts(
                        Evidence.INCONCLUSIVE,
                        "no sample crossed the border of two rounds; choose a prompt the target is less sure about");
            }
            return new Verdicts(
                    Evidence.NOT_REJECTED,
                    "effects from w = %s on would have been found with 90 %% probability"
                            .formatted(number("%.2f", blind)));
        }

        /// Returns how much more time, or how many more samples, would be enough, as far as that is known: the smallest effect that
        /// is found falls with the root of the samples.
        private static String enough(
                double blind,
                List<DistributionTest> tests,
                VerificationSettings settings,
                boolean interrupted) {
            if (interrupted) {
                return "sampling was interrupted";
            }
            long samples = tests.get(0).samples();
            long tokens = tests.get(1).samples();
            double times = Math.pow(blind / settings.effect(), 2);
            double missing =
                    Math.max(
                            (double) settings.samples() / Math.max(1, samples),
                            (double) settings.tokens() / Math.max(1, tokens));
            if (blind >= DistributionTest.ENDLESS) {
                return missing <= 1
                        ? "many more than %d samples and %d tokens are needed (verify-exactness --samples, --tokens)"
                                .formatted(settings.samples(), settings.tokens())
                        : "more would come in more than %d seconds (verify-exactness --time, or exactnessTestSeconds)"
                                .formatted(settings.seconds());
            }
            return times <= missing
                    ? "about %s seconds in place of %d would be enough"
                            .formatted(
                                    number("%.0f", Math.ceil(times * settings.seconds())),
                                    settings.seconds())
                    : "about %s times as many samples would be enough (verify-exactness --samples %s --tokens %s --time %s --effect %s)"
                            .formatted(
                                    number("%.1f", times),
                                    number("%.0f", Math.ceil(times * samples)),
                                    number("%.0f", Math.ceil(times * tokens)),
                                    number("%.0f", Math.ceil(times * settings.seconds())),
                                    settings.effect());
        }

        private static String difference(Greedy greedy) {
            return "argmax ids differ on %d of %d prompts, top-2 logit gap up to %s"
                    .formatted(
                            greedy.prompts() - greedy.equal() - greedy.rounding(),
                            greedy.prompts(),
                            number("%.3g", greedy.largestGap()));
        }

        private static String agreement(Greedy greedy) {
            return "argmax ids equal plain decoding on %d of %d prompts%s"
                    .formatted(
                            greedy.equal(),
                            greedy.prompts(),
                            greedy.rounding() == 0 ? "" : ", the others differ by rounding");
        }

        private static String number(String format, double value) {
            return String.format(Locale.ROOT, format, value);
        }
    }
}
