package dev.outrider.experiment.report;

import dev.outrider.experiment.costs.OtherCosts;
import dev.outrider.experiment.costs.OtherCostsTable;
import dev.outrider.experiment.lab.LabReport;
import dev.outrider.experiment.lab.LabTable;
import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.report.chart.Figure;
import dev.outrider.experiment.report.chart.Figures;
import dev.outrider.experiment.report.chart.Markup;
import dev.outrider.experiment.report.chart.RoundCourse;
import dev.outrider.experiment.report.chart.Texts;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.TextTable;
import dev.outrider.experiment.stats.Diagnosis;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.Place;
import dev.outrider.experiment.table.RankingTables;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Table.Term;
import dev.outrider.experiment.table.Terms;
import dev.outrider.experiment.table.Value;
import dev.outrider.experiment.table.VariantColumns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// The page of one folder of results.
public final class HtmlPage {
    private static final double MICRO = 1e3;

    /// The most rows of the table of reasons. A policy with more distinct reasons writes a number into each reason.
    private static final int MAX_REASONS = 20;

    private HtmlPage() {}

    /// Returns a page of results, of what their rounds would give at other costs, and of what a recording answers.
    public static String of(
            Results results,
            List<Figure> figures,
            Optional<OtherCosts> costs,
            Optional<LabReport> laboratory) {
        var variants = results.entries().stream().map(Results.Entry::variant).toList();
        var sections = new ArrayList<Element>();
        sections.add(SummaryTable.section(results));
        var searches = variants.stream().filter(each -> each.beams().isPresent()).toList();
        table(
                        "beams",
                        searches.isEmpty()
                                ? List.of()
                                : Table.of(VariantColumns.at(Place.BEAMS), searches).shown())
                .ifPresent(sections::add);
        sections.add(rankings(results));
        costs.map(HtmlPage::otherCosts).ifPresent(sections::add);
        laboratory.map(HtmlPage::laboratory).ifPresent(sections::add);
        figures.forEach(figure -> sections.add(Html.figureSection(figure)));
        table("reasons", reasons(results)).ifPresent(sections::add);
        table("earnings", TextTable.contributions(variants)).ifPresent(sections::add);
        sections.add(diagnosis(results));
        sections.add(RoundsSection.of(results));
        sections.add(EvidenceSection.of(results));
        sections.add(ProvenanceSection.of(results));
        String head = (results.question() + "\n" + results.shaped()).strip();
        return Html.Document.of(results.name(), head, results.gaps(), sections);
    }

    /// A section with a table, if the table has rows.
    private static Optional<Element> table(String id, List<List<String>> rows) {
        var text = Html.paragraph(Texts.of(id + ".text"));
        return rows.isEmpty() ? Optional.empty() : Optional.of(section(id, text, Html.table(rows)));
    }

    private static Element section(String id, Markup... content) {
        return Html.section(id, Texts.of(id + ".title"), List.of(content));
    }

    /// Returns the fastest variant, and every pair of variants.
    private static Element rankings(Results results) {
        var content = new ArrayList<Markup>();
        for (Results.Cell cell : results.cells()) {
            for (var tables : RankingTables.of(cell.report().variants())) {
                String cells = results.several() ? cell.title() + ": " : "";
                content.add(Html.paragraph(cells + tables.conclusion()));
                if (tables.known()) {
                    content.add(Html.paragraph(RankingTables.INTERVALS));
                    content.add(Html.table(tables.rankings().shown()));
                    content.add(Html.folded("Every pair", Html.table(tables.pairs().shown())));
                }
            }
            cell.report()
                    .interimAnalysis()
                    .ifPresent(each -> content.add(Html.paragraph(each.shown())));
        }
        content.add(
                content.isEmpty()
                        ? Html.missing(
                                "No variants share their settings and prompts, or an older version wrote these results.")
                        : Html.meanings(
                                VariantColumns.at(Place.RANKINGS).stream()
                                        .map(Column::term)
                                        .toList()));
        return Html.section("rankings", "Which is fastest", content);
    }

    /// The results of the rounds at other costs.
    private static Element otherCosts(OtherCosts costs) {
        var content = new ArrayList<Markup>();
        content.add(Html.paragraph(OtherCostsTable.heading(costs) + "."));
        content.add(Html.table(OtherCostsTable.table(costs).shown()));
        OtherCostsTable.sentences(costs).forEach(each -> content.add(Html.paragraph(each)));
        content.add(Html.meanings(OtherCostsTable.terms()));
        return Html.section("other-costs", "At other costs", content);
    }

    /// The answers from a recording: headroom, the best plan at these costs, and the limits.
    private static Element laboratory(LabReport report) {
        var content = new ArrayList<Markup>();
        content.add(
                Html.paragraph(
                        "Expected along the recorded texts, without another run. Costs: %s. t(n): %s."
                                .formatted(report.costs(), LabTable.curve(report))));
        String most = LabTable.most(report);
        content.add(
                Html.paragraph(Character.toUpperCase(most.charAt(0)) + most.substring(1) + "."));
        content.addAll(Html.figure(Figures.headroom(report)));
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
            content.add(
                    Html.folded(
                            "Not answered",
                            Element.of("ul")
                                    .add(
                                            variant.unanswered().stream()
                                                    .map(note -> Element.of("li").text(note))
                                                    .toList())));
        }
        content.add(Html.meanings(LabTable.TERMS));
        return Html.section("laboratory", "Laboratory", content);
    }

    /// Returns the steps from the formula's speedup to the measured one, reason by reason.
    private static Element diagnosis(Results results) {
        var found = new LinkedHashMap<String, Diagnosis>();
        for (Results.Entry entry : results.entries()) {
            entry.variant().diagnosis().ifPresent(own -> found.put(entry.label(), own));
        }
        if (found.isEmpty()) {
            return section("diagnosis", Html.missing(Texts.of("diagnosis.missing")));
        }
        var terms = new ArrayList<>(List.of(Terms.DIAGNOSIS));
        found.values()
                .iterator()
                .next()
                .reasons()
                .forEach(each -> terms.add(new Term(each.name(), each.name(), "", each.meaning())));
        return section(
                "diagnosis",
                Html.paragraph(Texts.of("diagnosis.text")),
                Html.table(TextTable.diagnosis(found)),
                Html.folded("What the factors compare", Html.definitions(terms)));
    }

    /// Returns the reasons of draft lengths, counted; empty if no policy gives reasons.
    private static List<List<String>> reasons(Results results) {
        var rows = new ArrayList<List<String>>();
        for (var course : RoundCourse.of(results)) {
            var reasons = course.reasons();
            if (reasons.stream().anyMatch(reason -> !reason.why().isEmpty())) {
                reasons.stream().limit(MAX_REASONS).forEach(each -> rows.add(row(course, each)));
            }
        }
        if (!rows.isEmpty()) {
            rows.addFirst(
                    List.of(
                            "variant",
                            "why",
                            "rounds",
                            "share",
                            "depth",
                            "accepted",
                            "\u00B5s a token"));
        }
        return rows;
    }

    private static List<String> row(RoundCourse course, RoundCourse.Reason reason) {
        return List.of(
                course.variant(),
                reason.why().isEmpty() ? "(nothing said)" : reason.why(),
                Long.toString(reason.rounds()),
                Value.share(reason.share()).shown(),
                Value.decimal(reason.depth(), 2),
                Value.decimal(reason.accepted(), 2),
                Value.decimal(reason.nanos() / MICRO, 2));
    }
}
