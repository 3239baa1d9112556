package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.report.chart.RoundTokens.Mark;
import dev.outrider.experiment.report.chart.RoundTokens.SampledRounds;
import dev.outrider.experiment.report.chart.RoundTokens.Token;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.run.Samples;
import java.util.ArrayList;
import java.util.List;

/// Rounds token by token as a drawing: a line for each round, a box for each token. The page shows the same as text.
final class RoundsFigure {
    static final String ID = "rounds";
    static final String TITLE = "Rounds token by token";
    private static final double LEFT = 34;
    private static final double RIGHT = Svg.WIDTH - 6;
    private static final double LINE = 24;
    private static final double BOX = 18;
    private static final double GAP = 5;
    private static final double SIGN = 13;

    /// Width of a character of the 11-unit letters of equal width; one outside the Latin scripts may take two.
    private static final double CHARACTER = 6.7;

    private static final int WIDE = 0x1100;

    private RoundsFigure() {}

    static Figure of(Results results) {
        List<SampledRounds> all = SampledRounds.of(results);
        if (all.isEmpty()) {
            return Figure.missing(
                    ID,
                    TITLE,
                    "There is no samples.json in these results, so there are no rounds to show token by token.");
        }
        var drawing = new Drawing();
        drawing.legend();
        String prompt = "";
        for (SampledRounds each : all) {
            if (!each.prompt().equals(prompt)) {
                prompt = each.prompt();
                drawing.words("name", "Prompt %s".formatted(prompt));
            }
            drawing.words("group", each.label());
            if (each.same().isPresent()) {
                drawing.words("name", "The same rounds as %s.".formatted(each.same().get()));
                continue;
            }
            for (Samples.Round round : each.rounds()) {
                drawing.round(round.round() + 1, RoundTokens.of(round));
            }
        }
        return Figure.drawn(
                ID,
                TITLE,
                "The first rounds of each variant on one prompt, a line for each round: accepted guesses, guesses thrown away, and"
                        + " the token that the round adds.",
                Svg.root(ID, TITLE, drawing.y, drawing.drawn),
                numbers(all));
    }

    /// What is drawn, from the top down.
    private static final class Drawing {
        private final List<Markup> drawn = new ArrayList<>();
        private double x = LEFT;
        private double y = 4;

        void legend() {
            x = GAP;
            for (Mark mark : Mark.values()) {
                token(new Token(mark, mark.meaning()), GAP);
            }
            y += LINE;
        }

        void words(String style, String text) {
            drawn.add(Svg.fitted(Svg.text(style, GAP, y + 15, ""), text, RIGHT - GAP));
            y += LINE;
        }

        void round(int number, RoundTokens round) {
            drawn.add(Svg.ending("tick", LEFT - 8, y + 13, Integer.toString(number)));
            x = LEFT;
            round.path().forEach(each -> token(each, LEFT));
            round.rejected().forEach(each -> token(each, LEFT));
            token(round.next(), LEFT);
            y += LINE;
        }

        /// What does not fit goes on in the next line.
        private void token(Token token, double begin) {
            double most = RIGHT - begin;
            double text = Math.min(width(token.text()), most - SIGN - 10);
            double width = SIGN + text + 10;
            if (x > begin && x + width > RIGHT) {
                x = begin;
                y += LINE;
            }
            drawn.add(
                    Element.of("g", "token " + token.mark().style())
                            .add(box(token.mark(), x, y, width))
                            .add(
                                    Svg.text("sign", x + 4, y + 13, token.mark().sign()),
                                    Svg.fitted(
                                            Svg.text("mono", x + SIGN + 4, y + 13, ""),
                                            token.text(),
                                            text + 1)));
            x += width + GAP;
        }

        private static List<Element> box(Mark mark, double x, double y, double width) {
            var outer = Svg.rect("box", x, y, width, BOX).with("rx", 4);
            return mark == Mark.CORRECTED
                    ? List.of(
                            outer,
                            Svg.rect("box", x + 2, y + 2, width - 4, BOX - 4).with("rx", 2.5))
                    : List.of(outer);
        }
    }

    private static double width(String text) {
        return text.codePoints().mapToDouble(each -> each < WIDE ? CHARACTER : 2 * CHARACTER).sum();
    }

    private static List<List<String>> numbers(List<SampledRounds> all) {
        var numbers = new ArrayList<List<String>>();
        numbers.add(List.of("variant", "prompt", "round", "token", "became"));
        for (SampledRounds each : all) {
            for (Samples.Round round : each.rounds()) {
                var tokens = RoundTokens.of(round);
                var inOrder = new ArrayList<>(tokens.path());
                inOrder.addAll(tokens.rejected());
                inOrder.add(tokens.next());
                for (Token token : inOrder) {
                    numbers.add(
                            List.of(
                                    each.label(),
                                    each.prompt(),
                                    Integer.toString(round.round() + 1),
                                    token.text(),
                                    token.mark().words()));
                }
            }
        }
        return numbers;
    }
}
