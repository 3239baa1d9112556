package dev.outrider.experiment.lab;

import dev.outrider.common.Columns;
import dev.outrider.experiment.lab.LabReport.Answer;
import dev.outrider.experiment.lab.LabReport.Variant;
import dev.outrider.experiment.stats.SumRatio;
import java.util.List;
import java.util.Locale;

/// The answers as a person reads them.
public final class LabTable {
    private LabTable() {}

    /// Lays out a report.
    public static String of(LabReport report) {
        var text = new StringBuilder();
        report.variants().forEach(variant -> text.append(variant(variant)).append('\n'));
        text.append("costs: %s%n".formatted(report.costs()));
        Laboratory.cheapest(report)
                .ifPresentOrElse(
                        plan ->
                                text.append(
                                        "most there: %s with a %s of %d, %s: %s times plain decoding %s%n"
                                                .formatted(
                                                        plan.variant(),
                                                        plan.answer().draft(),
                                                        plan.answer().length(),
                                                        plan.answer().rule(),
                                                        number(plan.answer().speedup().value()),
                                                        bounds(plan.answer().speedup()))),
                        () ->
                                text.append(
                                        "most there: plain decoding; no answer's interval is above 1\n"));
        text.append(
                """

                tok/round, times  expected, along texts of the target's own; 95 % intervals from resampled prompts. Prompts vary, costs do not; prefill is left out
                kept if there     share of the rounds that get there which keep that guess: by the first rule, by block verification, by an optimal coupling of p and q there
                """);
        return text.toString();
    }

    private static String variant(Variant variant) {
        var text = new StringBuilder();
        text.append(
                "%s: %s, T %s; %d texts, %d tokens%n"
                        .formatted(
                                variant.variant(),
                                variant.drafter(),
                                number(variant.temperature()),
                                variant.texts(),
                                variant.tokens()));
        if (!variant.answers().isEmpty()) {
            text.append('\n').append(answers(variant.answers())).append('\n');
            text.append(positions(variant)).append('\n');
            if (variant.kinds().size() > 1) {
                text.append(kinds(variant)).append('\n');
            }
        }
        variant.unanswered().forEach(note -> text.append("not answered: %s%n".formatted(note)));
        return text.toString();
    }

    private static String answers(List<Answer> answers) {
        var table = Columns.of("draft", "rule", "K", "tok/round", "", "times", "");
        for (var answer : answers) {
            table.row(
                    answer.draft(),
                    answer.rule(),
                    Integer.toString(answer.length()),
                    number(answer.tokensPerRound().value()),
                    bounds(answer.tokensPerRound()),
                    number(answer.speedup().value()),
                    bounds(answer.speedup()));
        }
        return table.text();
    }

    private static String positions(Variant variant) {
        var table = Columns.of("position", "reached", "kept if there", "block", "coupling");
        for (var position : variant.positions()) {
            table.row(
                    Integer.toString(position.position()),
                    number(position.reached()),
                    number(position.kept()),
                    number(position.block()),
                    number(position.overlap()));
        }
        return table.text();
    }

    private static String kinds(Variant variant) {
        var table =
                Columns.of(
                        "kind",
                        "first rule",
                        "",
                        "best asked",
                        "",
                        "draft and rule",
                        "chain's bound");
        for (var kind : variant.kinds()) {
            table.row(
                    kind.kind(),
                    number(kind.first().value()),
                    bounds(kind.first()),
                    number(kind.best().value()),
                    bounds(kind.best()),
                    kind.draft() + ", " + kind.rule(),
                    number(kind.bound()));
        }
        return table.text();
    }

    private static String bounds(SumRatio ratio) {
        return "[%s, %s]".formatted(number(ratio.low()), number(ratio.high()));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
