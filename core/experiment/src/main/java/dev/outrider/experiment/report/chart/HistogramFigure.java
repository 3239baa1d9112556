package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Entry;
import java.util.ArrayList;
import java.util.List;

/// Rounds by the number of tokens they decided, a small panel for each variant.
final class HistogramFigure {
    static final String ID = "tokens-per-round";
    static final String TITLE = "Tokens per round";
    private static final int MAX = 18;
    private static final int PANELS = 3;
    private static final double WIDTH = Svg.WIDTH / PANELS;
    private static final double HEIGHT = 190;

    private HistogramFigure() {}

    static Figure of(Results results) {
        List<Entry> all = results.entries().stream().filter(each -> rounds(each) > 0).toList();
        if (all.isEmpty()) {
            return Figure.missing(
                    ID, TITLE, "No variant has a round, so there is no histogram to show.");
        }
        var entries = all.subList(0, Math.min(MAX, all.size()));
        var drawn = new ArrayList<Markup>();
        for (int i = 0; i < entries.size(); i++) {
            panel(drawn, entries.get(i), i % PANELS * WIDTH, i / PANELS * HEIGHT);
        }
        double height = (entries.size() + PANELS - 1) / PANELS * HEIGHT;
        String caption =
                "Share of rounds that accepted 0, 1, 2, ... guesses, and so decided one token more: the one that follows"
                        + " the draft. Plain decoding decides 1 in every round. The mean is the tokens per round of the table, except"
                        + " that a sequence's last round may emit fewer than it decided."
                        + (all.size() > MAX
                                ? " The first %d of %d variants are drawn, all are in the numbers."
                                        .formatted(MAX, all.size())
                                : "");
        return Figure.drawn(ID, TITLE, caption, Svg.root(ID, TITLE, height, drawn), numbers(all));
    }

    private static long rounds(Entry entry) {
        return entry.variant().counts().histogram().stream().mapToLong(Long::longValue).sum();
    }

    private static void panel(List<Markup> drawn, Entry entry, double left, double top) {
        var histogram = entry.variant().counts().histogram();
        double rounds = rounds(entry);
        double bottom = top + HEIGHT - 42;
        double from = left + 12;
        double to = left + WIDTH - 12;
        double most = histogram.stream().mapToLong(Long::longValue).max().orElse(1) / rounds;
        var y = new Scale(0, Math.max(most, .01), bottom, top + 46);
        drawn.add(Svg.fitted(Svg.text("group", from, top + 14, ""), entry.label(), WIDTH - 20));
        drawn.add(
                Svg.text(
                        "tick",
                        from,
                        top + 29,
                        "mean %s".formatted(Svg.number(entry.variant().tokensPerRound(), 2))));
        double slot = (to - from) / histogram.size();
        int every = 1 + histogram.size() / 13;
        for (int accepted = 0; accepted < histogram.size(); accepted++) {
            double share = histogram.get(accepted) / rounds;
            double x = from + accepted * slot;
            String tip =
                    "%s: %d tokens in %d of %d rounds"
                            .formatted(
                                    entry.label(),
                                    accepted + 1,
                                    histogram.get(accepted),
                                    (long) rounds);
            drawn.add(
                    Svg.told(
                            Svg.rect(
                                    "bar",
                                    x + slot * .12,
                                    y.at(share),
                                    slot * .76,
                                    bottom - y.at(share)),
                            tip));
            if (slot > 24) {
                drawn.add(
                        Svg.centred(
                                "value",
                                x + slot / 2,
                                y.at(share) - 4,
                                Svg.number(100 * share, 0) + "%"));
            }
            if (accepted % every == 0) {
                drawn.add(
                        Svg.centred(
                                "tick", x + slot / 2, bottom + 15, Integer.toString(accepted + 1)));
            }
        }
        drawn.add(Svg.line("axis", from, bottom, to, bottom));
        drawn.add(Svg.centred("name", (from + to) / 2, bottom + 32, "tokens in a round"));
    }

    private static List<List<String>> numbers(List<Entry> entries) {
        var numbers = new ArrayList<List<String>>();
        numbers.add(List.of("variant", "tokens in a round", "rounds"));
        for (Entry entry : entries) {
            var histogram = entry.variant().counts().histogram();
            for (int i = 0; i < histogram.size(); i++) {
                numbers.add(
                        List.of(
                                entry.label(),
                                Integer.toString(i + 1),
                                String.valueOf(histogram.get(i))));
            }
        }
        return numbers;
    }
}
