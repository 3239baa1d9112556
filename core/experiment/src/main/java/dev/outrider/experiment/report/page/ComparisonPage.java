package dev.outrider.experiment.report.page;

import dev.outrider.experiment.report.SideDetails;
import dev.outrider.experiment.report.chart.Figure;
import dev.outrider.experiment.report.compare.Difference;
import dev.outrider.experiment.report.compare.ResultComparison;
import dev.outrider.experiment.report.markup.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The page that sets two results against each other.
public final class ComparisonPage {
    private ComparisonPage() {}

    /// Lay out a comparison.
    public static String of(ResultComparison comparison, Figure figure) {
        var sections = new ArrayList<Element>();
        sections.add(
                Html.section(
                        "differences",
                        "Variant by variant",
                        List.of(
                                Html.table(rows(comparison)),
                                Html.paragraph(
                                        "First: %s. Second: %s. Speedups are over plain decoding in the same results; the difference is paired"
                                                        .formatted(
                                                                comparison.first().folder(),
                                                                comparison.second().folder())
                                                + " by prompt, with its 95 % bootstrap interval."))));
        sections.add(FigureSection.of(figure));
        sections.add(named(ProvenanceSection.of(comparison.first()), "first"));
        sections.add(named(ProvenanceSection.of(comparison.second()), "second"));
        return Document.of(
                "%s against %s".formatted(comparison.first().name(), comparison.second().name()),
                "",
                comparison.warnings(),
                sections);
    }

    /// The table of a comparison, the first row its head.
    public static List<List<String>> rows(ResultComparison comparison) {
        var rows = new ArrayList<List<String>>();
        rows.add(
                List.of(
                        "variant",
                        "T",
                        "prompts",
                        "speedup first",
                        "speedup second",
                        "difference",
                        "verdict",
                        "tok/round first",
                        "second",
                        "alpha first",
                        "second"));
        for (Difference each : comparison.differences()) {
            SideDetails first = each.first();
            SideDetails second = each.second();
            rows.add(
                    List.of(
                            each.label(),
                            number("%.2f", first.temperature()),
                            Integer.toString(each.prompts()),
                            number("%.2f", first.speedup().median()),
                            number("%.2f", second.speedup().median()),
                            "%s [%s, %s]"
                                    .formatted(
                                            number("%+.2f", each.speedup().median()),
                                            number("%+.2f", each.speedup().low()),
                                            number("%+.2f", each.speedup().high())),
                            each.verdict(),
                            number("%.2f", first.tokensPerRound()),
                            number("%.2f", second.tokensPerRound()),
                            number("%.3f", first.alpha()),
                            number("%.3f", second.alpha())));
        }
        return rows;
    }

    private static Element named(Element section, String which) {
        var children = new ArrayList<>(section.children());
        children.set(0, Element.of("h2").text("Provenance of the " + which));
        return new Element(section.name(), section.attributes(), children)
                .with("id", "provenance-" + which);
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
