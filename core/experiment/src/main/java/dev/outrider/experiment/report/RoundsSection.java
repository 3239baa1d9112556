package dev.outrider.experiment.report;

import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.report.chart.Markup;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.run.Samples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Rounds token by token: accepted, rejected, corrected and bonus tokens. Each has a sign and words of its
/// own beside its colour.
final class RoundsSection {
    private static final int MAX_VARIANTS = 12;
    private static final int MAX_ROUNDS = 40;
    private static final int MAX_REJECTED = 12;
    private static final int MAX_TEXT = 400;

    private RoundsSection() {}

    /// The fate of a token; each has a sign beside its colour.
    private enum Mark {
        ACCEPTED("\u2713", "guess accepted"),
        REJECTED(
                "\u2717",
                "guess thrown away: rejected, after a rejected one, or on another branch"),
        CORRECTED("\u21BA", "drawn in place of a rejected guess"),
        BONUS("+", "free token after a draft that was accepted whole"),
        CUT_OFF("\u2702", "decided after the end");

        private final String sign;
        private final String meaning;

        Mark(String sign, String meaning) {
            this.sign = sign;
            this.meaning = meaning;
        }

        Element token(String text) {
            String words = name().toLowerCase(Locale.ROOT).replace('_', ' ');
            return Element.of("span", "token " + words.replace(' ', '-'))
                    .add(
                            Element.of("span", "sign").with("aria-hidden", "true").text(sign),
                            Element.of("span", "aloud").text(words + " "))
                    .text(text);
        }
    }

    /// Rounds of a prompt. Variants of any cell with the same rounds are shown once.
    private record Sampled(Optional<String> source, String prompt, List<Samples.Round> rounds) {}

    /// Returns the first twelve variants whose rounds differ, and for every other variant the name of the one with the same rounds.
    static Element of(Results results) {
        var content = new ArrayList<Markup>();
        var shown = new HashMap<Sampled, String>();
        int places = MAX_VARIANTS;
        for (Results.Cell cell : results.cells()) {
            if (cell.samples().isEmpty()) {
                continue;
            }
            Samples samples = cell.samples().get();
            boolean prompted = false;
            for (Samples.OfVariant variant : samples.variants()) {
                var rounds =
                        variant.rounds().subList(0, Math.min(MAX_ROUNDS, variant.rounds().size()));
                var sampled = new Sampled(samples.source(), samples.text(), rounds);
                String label = results.label(cell, variant.name());
                String same = shown.get(sampled);
                if (same != null) {
                    content.add(Element.of("h3").text(label));
                    content.add(Html.paragraph("The same rounds as %s.".formatted(same)));
                } else if (places > 0) {
                    if (!prompted) {
                        prompted = true;
                        prompt(samples, content);
                    }
                    places--;
                    content.add(Element.of("h3").text(label));
                    if (rounds.isEmpty()) {
                        content.add(Html.missing("No round was recorded."));
                    } else {
                        shown.put(sampled, label);
                        content.add(
                                Element.of("ol", "rounds")
                                        .add(rounds.stream().map(RoundsSection::round).toList()));
                    }
                }
            }
        }
        if (content.isEmpty()) {
            content.add(
                    Html.missing(
                            "There is no samples.json in these results, so there are no rounds to show token by token."));
        } else {
            content.addFirst(
                    Element.of("p", "legend")
                            .add(
                                    Stream.of(Mark.values())
                                            .map(mark -> mark.token(mark.meaning))
                                            .toList()));
        }
        return Html.section("rounds", "Rounds token by token", content);
    }

    private static void prompt(Samples samples, List<Markup> content) {
        samples.source()
                .ifPresent(source ->
                        content.add(quoted("Source of %s: ".formatted(samples.prompt()), source)));
        content.add(quoted("Prompt %s: ".formatted(samples.prompt()), samples.text()));
    }

    /// The accepted path, the rejected tokens, and the token that follows.
    private static Element round(Samples.Round round) {
        var tokens = new ArrayList<Element>();
        var nodes = round.nodes();
        for (int i = 0; i < round.accepted().size(); i++) {
            int node = round.accepted().get(i);
            if (node >= 1 && node <= nodes.size()) {
                var mark = i < round.emitted() ? Mark.ACCEPTED : Mark.CUT_OFF;
                tokens.add(mark.token(visible(nodes.get(node - 1).text())));
            }
        }
        var accepted = new HashSet<>(round.accepted());
        int rejected = 0;
        for (int node = 1; node <= nodes.size(); node++) {
            var guess = nodes.get(node - 1);
            if (!accepted.contains(node) && guess.verified() && rejected++ < MAX_REJECTED) {
                tokens.add(Mark.REJECTED.token(visible(guess.text())));
            }
        }
        if (rejected > MAX_REJECTED) {
            tokens.add(
                    Element.of("span")
                            .text("and %d more rejected ".formatted(rejected - MAX_REJECTED)));
        }
        var next = round.bonus() ? Mark.BONUS : Mark.CORRECTED;
        boolean emitted = round.accepted().size() < round.emitted();
        tokens.add((emitted ? next : Mark.CUT_OFF).token(visible(round.next())));
        return Element.of("li").add(tokens);
    }

    private static Element quoted(String what, String text) {
        String end =
                text.length() <= MAX_TEXT
                        ? text
                        : "\u2026" + text.substring(text.length() - MAX_TEXT);
        return Element.of("p").text(what).add(Element.of("q").text(end));
    }

    /// Makes white space of a token visible by signs.
    private static String visible(String text) {
        return text.isEmpty()
                ? "\u2205"
                : text.replace(' ', '\u2423')
                        .replace("\r", "\u240D")
                        .replace("\n", "\u23CE")
                        .replace("\t", "\u21E5");
    }
}
