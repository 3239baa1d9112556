package dev.outrider.experiment.report;

import dev.outrider.experiment.costs.OtherCosts;
import dev.outrider.experiment.costs.OtherCostsTable;
import dev.outrider.experiment.lab.LabReport;
import dev.outrider.experiment.lab.LabTable;
import dev.outrider.experiment.report.Html.Document;
import dev.outrider.experiment.report.Html.FigureSection;
import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.report.chart.Figure;
import dev.outrider.experiment.report.chart.HeadroomFigure;
import dev.outrider.experiment.report.chart.Markup;
import dev.outrider.experiment.report.chart.RoundCourse;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.results.TextTable.Contributions;
import dev.outrider.experiment.results.TextTable.LearningCurves;
import dev.outrider.experiment.stats.Diagnosis;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.RankingTables;
import dev.outrider.experiment.table.VariantColumns;
import dev.outrider.experiment.table.VariantColumns.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
        sections.add(RankingSection.of(results));
        costs.map(OtherCostsSection::of).ifPresent(sections::add);
        laboratory.map(LaboratorySection::of).ifPresent(sections::add);
        for (Figure figure : figures) {
            sections.add(FigureSection.of(figure));
        }
        ReasonSection.of(results).ifPresent(sections::add);
        ContributionSection.of(results).ifPresent(sections::add);
        LearningCurveSection.of(results).ifPresent(sections::add);
        sections.add(DiagnosisSection.of(results));
        sections.add(RoundsSection.of(results));
        sections.add(EvidenceSection.of(results));
        sections.add(ProvenanceSection.of(results));
        return Document.of(results.name(), results.question(), results.gaps(), sections);
    }

    /// The learning curves of the variants.
    static final class LearningCurveSection {
        private LearningCurveSection() {}

        /// The section, where a drafter learns.
        static Optional<Element> of(Results results) {
            var rows =
                    LearningCurves.rows(
                            results.entries().stream().map(Results.Entry::variant).toList());
            return rows.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            Html.section(
                                    "learningCurve",
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

    /// From the formula's speedup to the measured one, reason by reason.
    static final class DiagnosisSection {
        private DiagnosisSection() {}

        static Element of(Results results) {
            Map<String, String> reasons = new LinkedHashMap<>();
            for (Results.Entry entry : results.entries()) {
                entry.variant()
                        .diagnosis()
                        .ifPresent(found ->
                                found.reasons()
                                        .forEach(each -> reasons.put(each.name(), each.meaning())));
            }
            if (reasons.isEmpty()) {
                return Html.section(
                        "diagnosis",
                        "Why measured is not predicted",
                        List.of(
                                Html.missing(
                                        "These results have no diagnosis: nothing drafted, or an older version wrote them.")));
            }
            var rows = new ArrayList<List<String>>();
            var head = new ArrayList<>(List.of("variant", "by alpha, K, c"));
            reasons.keySet().forEach(name -> head.add("\u00D7 " + name));
            head.add("= measured");
            rows.add(head);
            for (Results.Entry entry : results.entries()) {
                entry.variant()
                        .diagnosis()
                        .ifPresent(found -> rows.add(row(entry.label(), found, reasons)));
            }
            var list = Element.of("dl");
            for (var reason : reasons.entrySet()) {
                list =
                        list.add(
                                Element.of("dt").text(reason.getKey()),
                                Element.of("dd").text(reason.getValue()));
            }
            List<Markup> content =
                    List.of(
                            Html.paragraph(
                                    "The formula takes guesses to be accepted independently, a pass of n rows to cost what a pass of one does,"
                                            + " and everything else to be free. Each factor is the effect of one of these assumptions; together"
                                            + " they lead from the formula to the measurement."),
                            Html.table(rows),
                            Html.folded("What the factors compare", list));
            return Html.section("diagnosis", "Why measured is not predicted", content);
        }

        private static List<String> row(
                String label, Diagnosis diagnosis, Map<String, String> reasons) {
            var row = new ArrayList<>(List.of(label, number(diagnosis.formulaSpeedup())));
            for (String name : reasons.keySet()) {
                Optional<Diagnosis.Reason> reason =
                        diagnosis.reasons().stream()
                                .filter(each -> each.name().equals(name))
                                .findFirst();
                row.add(reason.map(each -> number(each.factor())).orElse(""));
            }
            row.add(number(diagnosis.measured()));
            return row;
        }

        private static String number(double value) {
            return String.format(Locale.ROOT, "%.2f", value);
        }
    }

    /// The contribution of each of several drafters.
    static final class ContributionSection {
        private ContributionSection() {}

        /// The section, where any variant has several drafters.
        static Optional<Element> of(Results results) {
            var variants = results.entries().stream().map(Results.Entry::variant).toList();
            var rows = Contributions.rows(variants);
            return rows.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            Html.section(
                                    "earnings",
                                    "Contribution of each drafter",
                                    List.of(
                                            Html.paragraph(
                                                    "Rounds in which a drafter of a union or a cascade guessed anything; per round, the nodes it"
                                                            + " guessed, those of them that were accepted, and those that no other drafter had guessed; accepted"
                                                            + " over guessed."),
                                            Html.table(rows))));
        }
    }

    /// The answers from a recording: headroom, the best plan at these costs, and the limits.
    static final class LaboratorySection {
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

    /// The results of the rounds at other costs.
    static final class OtherCostsSection {
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
                    Html.folded(
                            "What the columns mean", Html.definitions(OtherCostsTable.terms())));
            return Html.section("other-costs", "At other costs", content);
        }
    }

    /// Why drafts had their lengths, counted.
    static final class ReasonSection {
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

    /// Which variant is the fastest, and every pair of them.
    static final class RankingSection {
        private static final String ID = "rankings";
        private static final String TITLE = "Which is fastest";

        private RankingSection() {}

        static Element of(Results results) {
            var content = new ArrayList<Markup>();
            for (Cell cell : results.cells()) {
                for (var tables : RankingTables.of(cell.report().variants())) {
                    String cells = results.several() ? cell.title() + ": " : "";
                    content.add(Html.paragraph(cells + tables.conclusion()));
                    content.add(Html.table(tables.rankings().shown()));
                    content.add(Html.folded("Every pair", Html.table(tables.pairs().shown())));
                }
                cell.report()
                        .interimAnalysis()
                        .ifPresent(interimAnalysis ->
                                content.add(Html.paragraph(interimAnalysis.shown())));
            }
            if (content.isEmpty()) {
                content.add(
                        Html.missing(
                                "No variants share their settings and prompts, or an older version wrote these results."));
            } else {
                content.add(
                        Html.folded(
                                "What the columns mean",
                                Html.definitions(
                                        VariantColumns.at(Place.RANKINGS).stream()
                                                .map(Column::term)
                                                .toList())));
            }
            return Html.section(ID, TITLE, content);
        }
    }
}
