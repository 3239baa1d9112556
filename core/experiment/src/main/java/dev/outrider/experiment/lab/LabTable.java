package dev.outrider.experiment.lab;

import dev.outrider.common.Columns;
import dev.outrider.engine.model.CostCurve;
import dev.outrider.experiment.lab.LabReport.OfVariant;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.table.Table.Term;
import dev.outrider.experiment.table.Value;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The answers as a text for people.
public final class LabTable {
    private static final double NANOS_PER_MILLI = 1e6;

    /// The definitions of the columns.
    public static final List<Term> TERMS =
            List.of(
                    Term.of("lab", "tokensPerRound"),
                    Term.of("lab", "passes"),
                    Term.of("lab", "kept"),
                    Term.of("lab", "limits"),
                    Term.of("lab", "kinds"));

    private LabTable() {}

    /// Lays out a report.
    public static String of(LabReport report) {
        var text = new StringBuilder();
        report.variants().forEach(variant -> text.append(variant(variant)).append('\n'));
        text.append("costs: %s%nt(n): %s%n".formatted(report.costs(), curve(report)));
        text.append(most(report)).append("\n\n");
        text.append(
                Columns.aligned(
                        TERMS.stream()
                                .map(term -> List.of(term.heading(), term.meaning()))
                                .toList()));
        return text.toString();
    }

    /// Returns a sentence about the strongest limit of a variant.
    public static String limit(OfVariant variant) {
        if (variant.limits().size() < 2) {
            return "What limits it is not known: no pass of what was asked was timed.";
        }
        var now = variant.limits().getFirst();
        var most = variant.limits().get(1);
        return "What limits it most is the %s: %s times plain decoding as it is, %s with %s."
                .formatted(
                        most.what(), number(now.speedup()), number(most.speedup()), most.ideal());
    }

    /// The known points of t(n), with their intervals.
    public static String curve(LabReport report) {
        return report.costCurve().entrySet().stream()
                .map(each -> "%d: %s".formatted(each.getKey(), time(each.getValue())))
                .collect(Collectors.joining(", "));
    }

    private static String time(CostCurve.Point point) {
        String interval =
                point.high() > point.nanos()
                        ? " [%s, %s]".formatted(millis(point.low()), millis(point.high()))
                        : "";
        return "%s ms%s".formatted(millis(point.nanos()), interval);
    }

    private static String millis(double nanos) {
        return Value.decimal(nanos / NANOS_PER_MILLI, 3);
    }

    /// The plan of highest speedup, in a line.
    public static String most(LabReport report) {
        return Laboratory.cheapest(report)
                .map(plan ->
                        "most there: %s with a %s of %d, %s: %s times plain decoding %s"
                                .formatted(
                                        plan.variant(),
                                        plan.answer().draft(),
                                        plan.answer().length(),
                                        plan.answer().rule(),
                                        number(plan.answer().speedup().value()),
                                        bounds(plan.answer().speedup())))
                .orElse(
                        "most there: plain decoding; no answer whose passes are known has an interval above 1");
    }

    private static String variant(OfVariant variant) {
        var text = new StringBuilder();
        text.append(
                "%s: %s, T %s; %d texts, %d tokens%n"
                        .formatted(
                                variant.variant(),
                                variant.drafter(),
                                variant.temperature().map(LabTable::number).orElse("not known"),
                                variant.texts(),
                                variant.tokens()));
        if (!variant.answers().isEmpty()) {
            text.append('\n').append(Columns.aligned(answerRows(variant.answers()))).append('\n');
            if (!variant.positions().isEmpty()) {
                text.append(Columns.aligned(positionRows(variant))).append('\n');
            }
            if (variant.kinds().size() > 1) {
                text.append(Columns.aligned(kindRows(variant))).append('\n');
            }
            if (!variant.limits().isEmpty()) {
                text.append(Columns.aligned(limitRows(variant))).append('\n');
                text.append(limit(variant)).append("\n\n");
            }
        }
        variant.unanswered().forEach(note -> text.append("not answered: %s%n".formatted(note)));
        return text.toString();
    }

    /// The answers, a heading first.
    public static List<List<String>> answerRows(List<LabReport.Answer> answers) {
        return rows(
                List.of("draft", "rule", "K", "tokens/round", "", "times", "", "t(n)"),
                answers,
                each ->
                        List.of(
                                each.draft(),
                                each.rule(),
                                Integer.toString(each.length()),
                                number(each.tokensPerRound().value()),
                                bounds(each.tokensPerRound()),
                                number(each.speedup().value()),
                                bounds(each.speedup()),
                                each.passes().name().toLowerCase(Locale.ROOT)));
    }

    /// Headroom by position, a heading first.
    private static List<List<String>> positionRows(OfVariant variant) {
        return rows(
                List.of("position", "reached", "kept if there", "block", "coupling"),
                variant.positions(),
                each ->
                        List.of(
                                Integer.toString(each.position()),
                                number(each.reached()),
                                number(each.kept()),
                                number(each.block()),
                                number(each.overlap())));
    }

    /// Returns the limits of a variant as rows, the heading first.
    public static List<List<String>> limitRows(OfVariant variant) {
        return rows(
                List.of("what", "ideal", "if ideal"),
                variant.limits(),
                each -> List.of(each.what(), each.ideal(), number(each.speedup())));
    }

    /// Tokens per round by kind of task, a heading first.
    public static List<List<String>> kindRows(OfVariant variant) {
        return rows(
                List.of(
                        "kind",
                        "first rule",
                        "",
                        "best asked",
                        "",
                        "draft and rule",
                        "chain's bound"),
                variant.kinds(),
                each ->
                        List.of(
                                each.kind(),
                                number(each.first().value()),
                                bounds(each.first()),
                                number(each.best().value()),
                                bounds(each.best()),
                                each.draft() + ", " + each.rule(),
                                number(each.bound())));
    }

    private static <T> List<List<String>> rows(
            List<String> head, List<T> all, Function<T, List<String>> cells) {
        return Stream.concat(Stream.of(head), all.stream().map(cells)).toList();
    }

    private static String bounds(Interval interval) {
        return interval.bounds(LabTable::number);
    }

    private static String number(double value) {
        return Value.decimal(value, 2);
    }
}
