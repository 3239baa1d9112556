package dev.outrider.experiment.report.page;

import dev.outrider.experiment.report.markup.Element;
import dev.outrider.experiment.report.read.Results;
import dev.outrider.experiment.report.read.RoundCourse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Why drafts had their lengths, counted.
final class ReasonSection {
    private static final double MICRO = 1e3;

    /// More reasons than this say a number each.
    private static final int MAX = 20;

    private ReasonSection() {}

    /// The section, where any policy says why.
    static Optional<Element> of(Results results) {
        var rows = new ArrayList<List<String>>();
        for (var course : RoundCourse.of(results)) {
            var reasons = course.reasons();
            if (reasons.stream().anyMatch(reason -> !reason.why().isEmpty())) {
                reasons.stream().limit(MAX).forEach(each -> rows.add(row(course, each)));
            }
        }
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        rows.addFirst(
                List.of(
                        "variant",
                        "why",
                        "rounds",
                        "share",
                        "depth",
                        "accepted",
                        "\u00B5s a token"));
        return Optional.of(
                Html.section(
                        "reasons",
                        "Why drafts had their lengths",
                        List.of(
                                Html.paragraph(
                                        "Rounds by what their length policy says of its choice: how many, their mean depth, what was accepted"
                                                + " of it, and what a token took in them. A policy sees rounds that are over, never the token it"
                                                + " decides about, so these rows compare choices and not what made them right."),
                                Html.table(rows))));
    }

    private static List<String> row(RoundCourse course, RoundCourse.Reason reason) {
        return List.of(
                course.variant(),
                reason.why().isEmpty() ? "(nothing said)" : reason.why(),
                Long.toString(reason.rounds()),
                String.format(Locale.ROOT, "%.1f%%", 100 * reason.share()),
                number(reason.depth()),
                number(reason.accepted()),
                number(reason.nanos() / MICRO));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
