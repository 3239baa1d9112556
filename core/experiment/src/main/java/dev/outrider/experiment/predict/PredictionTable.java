package dev.outrider.experiment.predict;

import dev.outrider.common.Columns;
import dev.outrider.experiment.predict.Prediction.PredictedVariant;
import dev.outrider.experiment.predict.Prediction.TokenRate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The predictions as a person reads them.
public final class PredictionTable {
    private PredictionTable() {}

    /// Lay out predictions; columns of measured numbers are there if anything was measured.
    public static String of(List<PredictedVariant> sides) {
        boolean measured = sides.stream().anyMatch(side -> side.measured().isPresent());
        var table =
                measured
                        ? Columns.of(
                                "variant",
                                "drafter",
                                "rule",
                                "T",
                                "predicted",
                                "",
                                "measured",
                                "",
                                "difference")
                        : Columns.of("variant", "drafter", "rule", "T", "predicted", "");
        for (var side : sides) {
            if (measured) {
                table.row(
                        side.variant(),
                        side.drafter(),
                        side.rule(),
                        number(side.temperature()),
                        rate(side.known()),
                        predicted(side),
                        rate(side.measured()),
                        bounds(side.measured()),
                        side.difference()
                                .map(difference ->
                                        String.format(Locale.ROOT, "%+.1f %%", 100 * difference))
                                .orElse("-"));
            } else {
                table.row(
                        side.variant(),
                        side.drafter(),
                        side.rule(),
                        number(side.temperature()),
                        rate(side.known()),
                        predicted(side));
            }
        }
        var text = new StringBuilder(table.text());
        text.append('\n');
        for (var side : sides) {
            side.refusal()
                    .ifPresent(why ->
                            text.append(
                                    "not predicted: %s, since %s%n"
                                            .formatted(side.variant(), why)));
            side.uncertain()
                    .ifPresent(why ->
                            text.append(
                                    "too uncertain: %s, since %s%n"
                                            .formatted(side.variant(), why)));
        }
        text.append(
                "predicted  tokens per round along texts of the target's own, each with a 95 % interval from resampled prompts\n");
        if (measured) {
            text.append("difference  measured over predicted, less 1\n");
        }
        return text.toString();
    }

    private static String predicted(PredictedVariant side) {
        return side.uncertain().isPresent() ? "too uncertain" : bounds(side.predicted());
    }

    private static String rate(Optional<TokenRate> rate) {
        return rate.map(each -> number(each.tokensPerRound())).orElse("-");
    }

    private static String bounds(Optional<TokenRate> rate) {
        return rate.map(each -> "[%s, %s]".formatted(number(each.low()), number(each.high())))
                .orElse("-");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
