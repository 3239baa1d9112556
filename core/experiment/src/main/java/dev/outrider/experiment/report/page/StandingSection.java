package dev.outrider.experiment.report.page;

import dev.outrider.experiment.report.column.Column;
import dev.outrider.experiment.report.column.Place;
import dev.outrider.experiment.report.column.SideColumns;
import dev.outrider.experiment.report.column.StandingTables;
import dev.outrider.experiment.report.markup.Element;
import dev.outrider.experiment.report.markup.Markup;
import dev.outrider.experiment.report.read.Cell;
import dev.outrider.experiment.report.read.Results;
import java.util.ArrayList;

/// Which side is the fastest, and every pair of them.
final class StandingSection {
    private static final String ID = "standings";
    private static final String TITLE = "Which is fastest";

    private StandingSection() {}

    static Element of(Results results) {
        var content = new ArrayList<Markup>();
        for (Cell cell : results.cells()) {
            for (var tables : StandingTables.of(cell.report().sides())) {
                String cells = results.several() ? cell.title() + ": " : "";
                content.add(Html.paragraph(cells + tables.conclusion()));
                content.add(Html.table(tables.standings().shown()));
                content.add(Html.folded("Every pair", Html.table(tables.pairs().shown())));
            }
            cell.report().looks().ifPresent(looks -> content.add(Html.paragraph(looks.shown())));
        }
        if (content.isEmpty()) {
            content.add(
                    Html.missing(
                            "No sides share their settings and prompts, or an older version wrote these results."));
        } else {
            content.add(
                    Html.folded(
                            "What the columns mean",
                            Html.definitions(
                                    SideColumns.at(Place.STANDINGS).stream()
                                            .map(Column::term)
                                            .toList())));
        }
        return Html.section(ID, TITLE, content);
    }
}
