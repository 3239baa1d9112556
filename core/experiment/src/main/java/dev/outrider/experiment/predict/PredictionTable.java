package dev.outrider.experiment.predict;

import dev.outrider.common.Columns;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.table.Value;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The predictions as a text for people.
public final class PredictionTable {
    private PredictionTable() {}

    /// Lays out predictions, with columns of measured numbers if anything was measured.
    public static String of(List<Prediction.PredictedVariant> variants) {
        boolean measured = variants.stream().anyMatch(variant -> variant.measured().isPresent());
        var head =
                List.of(
                        "variant",
                        "drafter",
                        "rule",
                        "T",
                        "predicted",
                        "",
                        "measured",
                        "",
                        "difference");
        var table = Columns.of(head.subList(0, measured ? 9 : 6).toArray(String[]::new));
        for (var variant : variants) {
            var cells =
                    List.of(
                            variant.variant(),
                            variant.drafter(),
                            variant.rule(),
                            Value.decimal(variant.temperature(), 2),
                            rate(variant.known()),
                            variant.uncertain().isPresent()
                                    ? "too uncertain"
                                    : bounds(variant.predicted()),
                            rate(variant.measured()),
                            bounds(variant.measured()),
                            variant.difference()
                                    .map(difference ->
                                            String.format(
                                                    Locale.ROOT, "%+.1f %%", 100 * difference))
                                    .orElse("-"));
            table.row(cells.subList(0, measured ? 9 : 6).toArray(String[]::new));
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

    private static String rate(Optional<Interval> rate) {
        return rate.map(each -> Value.decimal(each.value(), 2)).orElse("-");
    }

    private static String bounds(Optional<Interval> rate) {
        return rate.map(each -> each.bounds(number -> Value.decimal(number, 2))).orElse("-");
    }
}
