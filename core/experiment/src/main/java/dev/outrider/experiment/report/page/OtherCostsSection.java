package dev.outrider.experiment.report.page;

import dev.outrider.experiment.costs.OtherCosts;
import dev.outrider.experiment.costs.OtherCostsTable;
import dev.outrider.experiment.report.markup.Element;
import dev.outrider.experiment.report.markup.Markup;
import java.util.ArrayList;

/// What the rounds would give at other costs.
final class OtherCostsSection {
    private OtherCostsSection() {}

    static Element of(OtherCosts costs) {
        var content = new ArrayList<Markup>();
        content.add(
                Html.paragraph(
                        "%s (%s). t(n): %s."
                                .formatted(
                                        costs.costs(),
                                        costs.origin(),
                                        OtherCostsTable.curve(costs))));
        content.add(Html.table(OtherCostsTable.table(costs).shown()));
        OtherCostsTable.sentences(costs).forEach(each -> content.add(Html.paragraph(each)));
        content.add(
                Html.folded("What the columns mean", Html.definitions(OtherCostsTable.terms())));
        return Html.section("other-costs", "At other costs", content);
    }
}
