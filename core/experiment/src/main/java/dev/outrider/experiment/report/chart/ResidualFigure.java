package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.report.chart.RoundTokens.TokenText;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.run.Samples;
import java.util.ArrayList;
import java.util.List;

/// How accepted and resampled mass add up to p, with the distributions of a round of this run.
final class ResidualFigure {
    static final String ID = "residual";
    static final String TITLE = "Why the output follows p";
    private static final int MAX = 4;
    private static final double LEFT = 56;
    private static final double RIGHT = Svg.WIDTH - 6;
    private static final double HEIGHT = 262;

    private ResidualFigure() {}

    private record Panel(String label, Samples.Distributions distributions) {}

    /// A bar: a token, or all others together.
    private record Bar(String name, double p, double q, double overlap) {}

    static Figure of(Results results) {
        var panels = new ArrayList<Panel>();
        boolean sampled = false;
        for (Cell cell : results.cells()) {
            sampled |= cell.samples().isPresent();
            cell.samples()
                    .ifPresent(samples ->
                            samples.variants()
                                    .forEach(variant ->
                                            variant.distributions()
                                                    .ifPresent(distributions ->
                                                            panels.add(
                                                                    new Panel(
                                                                            results.label(
                                                                                    cell,
                                                                                    variant.name()),
                                                                            distributions)))));
        }
        if (panels.isEmpty()) {
            return Figure.missing(
                    ID,
                    TITLE,
                    sampled
                            ? "No variant samples with a draft to judge: at temperature 0 p is a single token, and a guess is right or"
                                    + " wrong. Run a variant at a temperature above 0 to see p and q."
                            : "There is no samples.json in these results, so there are no distributions to show.");
        }
        var shown = panels.subList(0, Math.min(MAX, panels.size()));
        var drawn = new ArrayList<Markup>();
        drawn.add(Hatches.definitions(ID));
        legend(drawn);
        for (int i = 0; i < shown.size(); i++) {
            panel(drawn, shown.get(i), 34 + i * HEIGHT);
        }
        String caption =
                "Distributions at the first guess of one round of this run, for each variant the round of median beta: p is the target's"
                        + " after all samplers, q the distribution the guess was drawn from (1 at the guess where it was not drawn). A guess x"
                        + " is accepted with probability min(1, p(x) / q(x)), so accepted guesses bring the mass min(p, q) to each"
                        + " token, beta in all. What is rejected is drawn again from p - q where that is positive, which brings exactly"
                        + " the rest: the two parts add up to p. Where q is above p, the mark stands above the bar: that is what"
                        + " rejection takes away. The bar \"others\" stands for all tokens without one."
                        + (panels.size() > MAX
                                ? " The first %d of %d variants are drawn, all are in the numbers."
                                        .formatted(MAX, panels.size())
                                : "");
        return Figure.drawn(
                ID,
                TITLE,
                caption,
                Svg.root(ID, TITLE, 34 + shown.size() * HEIGHT, drawn),
                numbers(panels));
    }

    private static void legend(List<Markup> drawn) {
        drawn.add(Hatches.bar(ID, 0, LEFT, 4, 18, 14));
        drawn.add(Svg.text("label", LEFT + 24, 15, "accepted: min(p, q)"));
        drawn.add(Hatches.bar(ID, 1, LEFT + 170, 4, 18, 14));
        drawn.add(Svg.text("label", LEFT + 194, 15, "drawn again: p - q where positive"));
        drawn.add(Svg.line("drafted", LEFT + 420, 11, LEFT + 444, 11));
        drawn.add(Svg.text("label", LEFT + 450, 15, "q"));
    }

    private static void panel(List<Markup> drawn, Panel panel, double top) {
        var distributions = panel.distributions();
        List<Bar> bars = bars(distributions);
        double bottom = top + HEIGHT - 44;
        double most = bars.stream().mapToDouble(bar -> Math.max(bar.p(), bar.q())).max().orElse(1);
        var y = Scale.fromZero(Math.min(1, Math.max(.01, most)), bottom, top + 36);
        String head =
                "%s: round %d, beta = %s, guess %s %s"
                        .formatted(
                                panel.label(),
                                distributions.round() + 1,
                                Svg.number(distributions.beta(), 3),
                                guess(distributions),
                                distributions.kept() ? "accepted" : "rejected");
        drawn.add(Svg.fitted(Svg.text("group", LEFT, top + 18, ""), head, .9 * (RIGHT - LEFT)));
        drawn.addAll(Axes.vertical(y, LEFT, RIGHT, "probability"));
        double slot = (RIGHT - LEFT) / bars.size();
        for (int i = 0; i < bars.size(); i++) {
            bar(drawn, bars.get(i), LEFT + i * slot, slot, y, bottom);
        }
        drawn.add(Svg.line("axis", LEFT, bottom, RIGHT, bottom));
    }

    private static void bar(
            List<Markup> drawn, Bar bar, double left, double slot, Scale y, double bottom) {
        double x = left + slot * .16;
        double width = slot * .68;
        double accepted = y.at(bar.overlap());
        double whole = y.at(bar.p());
        String words =
                "%s: p %s = accepted %s + drawn again %s; q %s"
                        .formatted(
                                bar.name(),
                                Svg.number(bar.p(), 4),
                                Svg.number(bar.overlap(), 4),
                                Svg.number(bar.p() - bar.overlap(), 4),
                                Svg.number(bar.q(), 4));
        drawn.add(Svg.told(Hatches.bar(ID, 0, x, accepted, width, bottom - accepted), words));
        drawn.add(Svg.told(Hatches.bar(ID, 1, x, whole, width, accepted - whole), words));
        drawn.add(
                Svg.line(
                        "drafted",
                        left + slot * .06,
                        y.at(bar.q()),
                        left + slot * .94,
                        y.at(bar.q())));
        drawn.add(
                Svg.fitted(
                        Svg.centred("tick", left + slot / 2, bottom + 15, ""), bar.name(), slot));
        drawn.add(Svg.centred("tick", left + slot / 2, bottom + 29, Svg.number(bar.p(), 3)));
    }

    private static String guess(Samples.Distributions distributions) {
        return distributions.rows().stream()
                .filter(row -> row.token() == distributions.drawn())
                .map(row -> TokenText.visible(row.text()))
                .findFirst()
                .orElse("of id " + distributions.drawn());
    }

    private static List<Bar> bars(Samples.Distributions distributions) {
        var bars = new ArrayList<Bar>();
        for (Samples.Row row : distributions.rows()) {
            double p = probability(row.p());
            double q = probability(row.q());
            bars.add(new Bar(TokenText.visible(row.text()), p, q, Math.min(p, q)));
        }
        var others = distributions.others();
        if (others.tokens() > 0) {
            bars.add(
                    new Bar(
                            "others",
                            probability(others.p()),
                            probability(others.q()),
                            Math.min(probability(others.overlap()), probability(others.p()))));
        }
        return bars;
    }

    /// Files may hold anything; a drawing holds probabilities.
    private static double probability(double value) {
        return Double.isFinite(value) ? Math.clamp(value, 0, 1) : 0;
    }

    private static List<List<String>> numbers(List<Panel> panels) {
        var numbers = new ArrayList<List<String>>();
        numbers.add(List.of("variant", "round", "token", "p", "q", "accepted", "drawn again"));
        for (Panel panel : panels) {
            for (Bar bar : bars(panel.distributions())) {
                numbers.add(
                        List.of(
                                panel.label(),
                                Integer.toString(panel.distributions().round() + 1),
                                bar.name(),
                                Double.toString(bar.p()),
                                Double.toString(bar.q()),
                                Double.toString(bar.overlap()),
                                Double.toString(bar.p() - bar.overlap())));
            }
        }
        return numbers;
    }
}
