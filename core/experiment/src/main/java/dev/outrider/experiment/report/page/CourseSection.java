package dev.outrider.experiment.report.page;

import dev.outrider.experiment.report.CourseTable;
import dev.outrider.experiment.report.markup.Element;
import dev.outrider.experiment.report.read.Results;
import java.util.List;
import java.util.Optional;

/// How variants did from the first prompts to the last.
final class CourseSection {
    private CourseSection() {}

    /// The section, where a drafter learns.
    static Optional<Element> of(Results results) {
        var rows =
                CourseTable.rows(results.variants().stream().map(Results.Variant::side).toList());
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        Html.section(
                                "course",
                                "Over the course of the run",
                                List.of(
                                        Html.paragraph(
                                                "Tokens per round and alpha of the first, second and last third of the prompts, in the order they"
                                                        + " came, and the share of a variant's time that its drafter learned in. Thirds differ in"
                                                        + " their prompts too: hold a variant that learns against one that does not. Intervals"
                                                        + " elsewhere on this page exchange prompts; of a drafter that learns they speak of these"
                                                        + " prompts in this order."),
                                        Html.table(rows))));
    }
}
