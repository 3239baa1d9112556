package dev.outrider.experiment.report;

import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.report.chart.Markup;
import dev.outrider.experiment.report.chart.RoundTokens;
import dev.outrider.experiment.report.chart.RoundTokens.SampledRounds;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.run.Samples;
import java.util.ArrayList;
import java.util.List;

/// Rounds token by token: what was accepted, rejected, corrected, and what came as a bonus. Each has a sign and words of its
/// own beside its colour. Words that wrap, where the drawing of the same rounds has lines.
final class RoundsSection {
    private static final int MAX_REJECTED = 12;

    private RoundsSection() {}

    static Element of(Results results) {
        var content = new ArrayList<Markup>();
        String prompt = "";
        for (SampledRounds each : SampledRounds.of(results)) {
            if (!each.prompt().equals(prompt)) {
                prompt = each.prompt();
                each.source()
                        .map(source -> quoted("Source of %s: ".formatted(each.prompt()), source))
                        .ifPresent(content::add);
                content.add(quoted("Prompt %s: ".formatted(prompt), each.text()));
            }
            content.add(Element.of("h3").text(each.label()));
            content.add(
                    each.same()
                            .map(same -> Html.paragraph("The same rounds as %s.".formatted(same)))
                            .orElseGet(() -> rounds(each.rounds())));
        }
        if (content.isEmpty()) {
            content.add(
                    Html.missing(
                            "There is no samples.json in these results, so there are no rounds to show token by token."));
        } else {
            content.addFirst(legend());
        }
        return Html.section("rounds", "Rounds token by token", content);
    }

    private static Element legend() {
        var legend = Element.of("p", "legend");
        for (RoundTokens.Mark mark : RoundTokens.Mark.values()) {
            legend = legend.add(token(mark, mark.meaning()));
        }
        return legend;
    }

    private static Element rounds(List<Samples.Round> rounds) {
        if (rounds.isEmpty()) {
            return Html.missing("No round was recorded.");
        }
        var list = Element.of("ol", "rounds");
        for (Samples.Round round : rounds) {
            list = list.add(round(RoundTokens.of(round)));
        }
        return list;
    }

    private static Element round(RoundTokens round) {
        var tokens = new ArrayList<Element>();
        round.path().forEach(each -> tokens.add(token(each.mark(), each.text())));
        int shown = Math.min(MAX_REJECTED, round.rejected().size());
        round.rejected()
                .subList(0, shown)
                .forEach(each -> tokens.add(token(each.mark(), each.text())));
        int left = round.rejected().size() - shown;
        if (left > 0) {
            tokens.add(Element.of("span").text("and %d more rejected ".formatted(left)));
        }
        tokens.add(token(round.next().mark(), round.next().text()));
        return Element.of("li").add(tokens);
    }

    private static Element token(RoundTokens.Mark mark, String text) {
        return Element.of("span", "token " + mark.style())
                .add(
                        Element.of("span", "sign").with("aria-hidden", "true").text(mark.sign()),
                        Element.of("span", "aloud").text(mark.words() + " "))
                .text(text);
    }

    private static Element quoted(String what, String text) {
        return Element.of("p").text(what).add(Element.of("q").text(shortened(text)));
    }

    private static String shortened(String text) {
        int most = 400;
        return text.length() <= most ? text : "\u2026" + text.substring(text.length() - most);
    }
}
