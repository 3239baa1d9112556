package dev.outrider.experiment.report.page;

import dev.outrider.experiment.lab.LabReport;
import dev.outrider.experiment.lab.LabTable;
import dev.outrider.experiment.report.chart.HeadroomFigure;
import dev.outrider.experiment.report.markup.Element;
import dev.outrider.experiment.report.markup.Markup;
import java.util.ArrayList;

/// What a recording answers: headroom, the best plan at these costs, and what limits it.
final class LaboratorySection {
    private LaboratorySection() {}

    static Element of(LabReport report) {
        var content = new ArrayList<Markup>();
        content.add(
                Html.paragraph(
                        "Expected along the recorded texts, without another run. Costs: %s. t(n): %s."
                                .formatted(report.costs(), LabTable.curve(report))));
        content.add(Html.paragraph(sentence(LabTable.most(report))));
        content.addAll(FigureSection.content(HeadroomFigure.of(report)));
        for (var variant : report.variants()) {
            content.add(
                    Element.of("h3")
                            .text(
                                    "%s: %s, %d texts, %d tokens"
                                            .formatted(
                                                    variant.variant(),
                                                    variant.drafter(),
                                                    variant.texts(),
                                                    variant.tokens())));
            if (!variant.answers().isEmpty()) {
                content.add(Html.paragraph(LabTable.limit(variant)));
                content.add(Html.table(LabTable.limitRows(variant)));
                content.add(Html.table(LabTable.kindRows(variant)));
                content.add(
                        Html.folded(
                                "Every draft and rule",
                                Html.table(LabTable.answerRows(variant.answers()))));
            }
            var list = Element.of("ul");
            for (String note : variant.unanswered()) {
                list = list.add(Element.of("li").text(note));
            }
            content.add(Html.folded("Not answered", list));
        }
        content.add(Html.folded("What the columns mean", Html.definitions(LabTable.terms())));
        return Html.section("laboratory", "Laboratory", content);
    }

    private static String sentence(String line) {
        return Character.toUpperCase(line.charAt(0)) + line.substring(1) + ".";
    }
}
