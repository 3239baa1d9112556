package dev.outrider.experiment.report.page;

import dev.outrider.experiment.costs.OtherCosts;
import dev.outrider.experiment.lab.LabReport;
import dev.outrider.experiment.report.chart.Figure;
import dev.outrider.experiment.report.markup.Element;
import dev.outrider.experiment.report.read.Results;
import dev.outrider.experiment.report.table.SummaryTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The page of one folder of results.
public final class HtmlPage {
    private HtmlPage() {}

    /// Lay out results.
    public static String of(Results results, List<Figure> figures) {
        return of(results, figures, Optional.empty(), Optional.empty());
    }

    /// Lay out results, what their rounds would give at other costs, and what a recording answers.
    public static String of(
            Results results,
            List<Figure> figures,
            Optional<OtherCosts> costs,
            Optional<LabReport> laboratory) {
        var sections = new ArrayList<Element>();
        sections.add(SummarySection.of(SummaryTable.ofPage(results)));
        sections.add(StandingSection.of(results));
        costs.map(OtherCostsSection::of).ifPresent(sections::add);
        laboratory.map(LaboratorySection::of).ifPresent(sections::add);
        for (Figure figure : figures) {
            sections.add(FigureSection.of(figure));
        }
        ReasonSection.of(results).ifPresent(sections::add);
        EarningsSection.of(results).ifPresent(sections::add);
        CourseSection.of(results).ifPresent(sections::add);
        sections.add(DiagnosisSection.of(results));
        sections.add(RoundsSection.of(results));
        sections.add(EvidenceSection.of(results));
        sections.add(ProvenanceSection.of(results));
        return Document.of(results.name(), results.question(), results.gaps(), sections);
    }
}
