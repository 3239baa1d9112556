package dev.outrider.experiment.report.page;

import dev.outrider.experiment.report.EarningsTable;
import dev.outrider.experiment.report.markup.Element;
import dev.outrider.experiment.report.read.Results;
import java.util.List;
import java.util.Optional;

/// Which of several drafters earned what.
final class EarningsSection {
    private EarningsSection() {}

    /// The section, where any variant has several drafters.
    static Optional<Element> of(Results results) {
        var sides = results.variants().stream().map(Results.Variant::side).toList();
        var rows = EarningsTable.rows(sides);
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        Html.section(
                                "earnings",
                                "Which drafter earned what",
                                List.of(
                                        Html.paragraph(
                                                "Rounds in which a drafter of a union or a cascade guessed anything; per round, the nodes it"
                                                        + " guessed, those of them that were accepted, and those that nobody else had guessed; accepted"
                                                        + " over guessed."),
                                        Html.table(rows))));
    }
}
