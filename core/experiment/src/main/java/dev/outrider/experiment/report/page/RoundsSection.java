package dev.outrider.experiment.report.page;

import dev.outrider.experiment.report.markup.Element;
import dev.outrider.experiment.report.markup.Markup;
import dev.outrider.experiment.report.read.Cell;
import dev.outrider.experiment.report.read.Results;
import dev.outrider.experiment.report.read.TokenText;
import dev.outrider.experiment.sample.Samples;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;

/// Rounds token by token: what was accepted, rejected, corrected, and what came as a bonus. Each has a sign and words of its
/// own beside its colour.
final class RoundsSection {
    private static final int MOST_SIDES = 12;
    private static final int MOST_ROUNDS = 40;
    private static final int MOST_REJECTED = 12;

    private RoundsSection() {}

    /// How a token is drawn.
    private enum Mark {
        ACCEPTED("accepted", "\u2713"),
        REJECTED("rejected", "\u2717"),
        CORRECTED("corrected", "\u21BA"),
        BONUS("bonus", "+"),
        UNUSED("cut off", "\u2702");

        private final String words;
        private final String sign;

        Mark(String words, String sign) {
            this.words = words;
            this.sign = sign;
        }
    }

    static Element of(Results results) {
        var content = new ArrayList<Markup>();
        int sides = 0;
        for (Cell cell : results.cells()) {
            if (cell.samples().isEmpty() || sides >= MOST_SIDES) {
                continue;
            }
            var samples = cell.samples().get();
            content.add(
                    Element.of("p")
                            .text("Prompt %s: ".formatted(samples.prompt()))
                            .add(Element.of("q").text(shortened(samples.text()))));
            for (Samples.Side side : samples.sides()) {
                if (sides++ < MOST_SIDES) {
                    content.add(Element.of("h3").text(results.label(cell, side.name())));
                    content.add(rounds(side));
                }
            }
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
        return Element.of("p", "legend")
                .add(
                        plain(Mark.ACCEPTED, "guess accepted"),
                        plain(
                                Mark.REJECTED,
                                "guess thrown away: rejected, after a rejected one, or on another branch"),
                        plain(Mark.CORRECTED, "drawn in place of a rejected guess"),
                        plain(Mark.BONUS, "free token after a draft that was accepted whole"),
                        plain(Mark.UNUSED, "decided after the end"));
    }

    private static Element rounds(Samples.Side side) {
        if (side.rounds().isEmpty()) {
            return Html.missing("No round was recorded.");
        }
        var list = Element.of("ol", "rounds");
        for (Samples.Round round :
                side.rounds().subList(0, Math.min(MOST_ROUNDS, side.rounds().size()))) {
            list = list.add(round(round));
        }
        return list;
    }

    private static Element round(Samples.Round round) {
        var tokens = new ArrayList<Element>();
        int emitted = 0;
        for (int node : round.accepted()) {
            if (node >= 1 && node <= round.nodes().size()) {
                Mark mark = emitted < round.emitted() ? Mark.ACCEPTED : Mark.UNUSED;
                tokens.add(token(mark, round.nodes().get(node - 1).text()));
            }
            emitted++;
        }
        Set<Integer> accepted = new HashSet<>(round.accepted());
        int rejected = 0;
        int left = 0;
        for (int node = 1; node <= round.nodes().size(); node++) {
            if (!accepted.contains(node) && round.nodes().get(node - 1).verified()) {
                if (rejected++ < MOST_REJECTED) {
                    tokens.add(token(Mark.REJECTED, round.nodes().get(node - 1).text()));
                } else {
                    left++;
                }
            }
        }
        if (left > 0) {
            tokens.add(Element.of("span").text("and %d more rejected ".formatted(left)));
        }
        boolean used = emitted < round.emitted();
        Mark next = round.bonus() ? Mark.BONUS : Mark.CORRECTED;
        tokens.add(token(used ? next : Mark.UNUSED, round.next()));
        return Element.of("li").add(tokens);
    }

    private static Element token(Mark mark, String text) {
        return plain(mark, TokenText.visible(text));
    }

    private static Element plain(Mark mark, String text) {
        return Element.of("span", "token " + mark.words.replace(' ', '-'))
                .add(
                        Element.of("span", "sign").with("aria-hidden", "true").text(mark.sign),
                        Element.of("span", "aloud").text(mark.words + " "))
                .text(text);
    }

    private static String shortened(String text) {
        int most = 400;
        return text.length() <= most ? text : "\u2026" + text.substring(text.length() - most);
    }
}
