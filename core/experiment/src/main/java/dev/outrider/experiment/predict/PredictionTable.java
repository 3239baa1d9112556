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
    public static String of(List<PredictedVariant> variants) {
        boolean measured = variants.stream().anyMatch(variant -> variant.measured().isPresent());
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
        for (var variant : variants) {
            if (measured) {
                table.row(
                        variant.variant(),
                        variant.drafter(),
                        variant.rule(),
                        number(variant.temperature()),
                        rate(variant.known()),
                        predicted(variant),
                        rate(variant.measured()),
                        bounds(variant.measured()),
                        variant.difference()
                                .map(difference ->
                                        String.format(Locale.ROOT, "%+.1f %%", 100 * difference))
                                .orElse("-"));
            } else {
                table.row(
                        variant.variant(),
                        variant.drafter(),
                        variant.rule(),
                        number(variant.temperature()),
                        rate(variant.known()),
                        predicted(variant));
            }
        }
        var text = new StringBuilder(table.text());
        text.append('\n');
        for (var variant : variants) {
            variant.refusal()
                    .ifPresent(why ->
                            text.append(
                                    "not predicted: %s, since %s%n"
                                            .formatted(variant.variant(), why)));
            variant.uncertain()
                    .ifPresent(why ->
                            text.append(
                                    "too uncertain: %s, since %s%n"
                                            .formatted(variant.variant(), why)));
        }
        text.append(
                "predicted  tokens per round along texts of the target's own, each with a 95 % interval from resampled prompts\n");
        if (measured) {
            text.append("difference  measured over predicted, less 1\n");
        }
        return text.toString();
    }

    private static String predicted(PredictedVariant variant) {
        return variant.uncertain().isPresent() ? "too uncertain" : bounds(variant.predicted());
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
