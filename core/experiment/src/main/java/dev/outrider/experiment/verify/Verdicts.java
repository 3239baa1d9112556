package dev.outrider.experiment.verify;

import dev.outrider.experiment.verify.Evidence.DistributionTest;
import dev.outrider.experiment.verify.Evidence.Greedy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What to conclude from tests.
///
/// @param verdict one of the words of [Evidence]
/// @param reason  a sentence
record Verdicts(String verdict, String reason) {
    static Verdicts of(
            List<DistributionTest> tests,
            Optional<Greedy> greedy,
            double acrossRounds,
            VerificationSettings settings) {
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
        double blind = Math.max(tests.getFirst().found90(), Math.max(tests.get(1).found90(), 0));
        if (blind >= DistributionTest.ENDLESS) {
            return new Verdicts(
                    Evidence.INCONCLUSIVE,
                    "a test had too few samples to find anything; more samples or time help");
        }
        if (blind > settings.effect()) {
            return new Verdicts(
                    Evidence.INCONCLUSIVE,
                    "effects below w = %s may have been missed, expected %s; more samples or time find them"
                            .formatted(number("%.2f", blind), number("%.2f", settings.effect())));
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
