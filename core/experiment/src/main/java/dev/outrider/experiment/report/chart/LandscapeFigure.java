package dev.outrider.experiment.report.chart;

import dev.outrider.engine.model.SpeedupTheory;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The speedup that theory expects over alpha and K at one c, with the measured variants on it. A script redraws it for
/// another c.
final class LandscapeFigure {
    static final String ID = "landscape";
    static final String TITLE = "Speedup over alpha and K";
    private static final double ALPHA_STEP = .05;
    private static final int COLUMNS = 21;
    private static final int MIN_ROWS = 10;
    private static final int MAX_ROWS = 20;
    private static final int MAX_MARKS = 24;
    private static final double COST_STEP = .005;
    private static final double MIN_MOST_COST = .6;
    private static final double LEFT = 46;
    private static final double TOP = 10;
    private static final double WIDTH = (Svg.WIDTH - LEFT - 4) / COLUMNS;
    private static final double HEIGHT = 24;

    /// Half the height of a mark.
    private static final double PIN = 8;

    private LandscapeFigure() {}

    static Figure of(Results results) {
        List<Entry> all =
                results.entries().stream().filter(each -> each.variant().draftLength() > 0).toList();
        if (all.isEmpty()) {
            return Figure.missing(
                    ID,
                    TITLE,
                    "No variant drafted anything, so there is none to mark; 'outrider plan' shows theory alone.");
        }
        var entries = all.subList(0, Math.min(MAX_MARKS, all.size()));
        double mostCost = mostCost(all);
        double cost = middle(all, mostCost);
        String caption =
                "Each number is the speedup (1 - a^(K+1)) / ((1 - a)(K c + 1)) that theory expects at c = "
                        + Svg.number(cost, 3)
                        + " (where scripts run, the slider changes it); a frame marks the best K for each alpha. Blue"
                        + " is gain, orange and slanted loss. "
                        + "Numbered marks are the variants at their measured alpha and mean K, several in one mark where they coincide;"
                        + " each has a c of its own,"
                        + " given in the list."
                        + (all.size() > MAX_MARKS
                                ? " The first %d of %d are marked."
                                        .formatted(MAX_MARKS, all.size())
                                : "");
        return Figure.drawn(ID, TITLE, caption, draw(entries, cost), numbers(all))
                .controlledBy(slider(cost, mostCost));
    }

    /// Where the slider ends: no measured c lies beyond.
    private static double mostCost(List<Entry> entries) {
        double most =
                entries.stream()
                        .mapToDouble(each -> each.variant().draftCost())
                        .filter(Double::isFinite)
                        .max()
                        .orElse(0);
        return Math.max(MIN_MOST_COST, Math.ceil(most * 10) / 10);
    }

    /// The median c, on a step of the slider.
    private static double middle(List<Entry> entries, double mostCost) {
        var costs = entries.stream().map(each -> each.variant().draftCost()).sorted().toList();
        double median = costs.get(costs.size() / 2);
        return Math.clamp(Math.round(median / COST_STEP) * COST_STEP, 0, mostCost);
    }

    private static Element slider(double cost, double mostCost) {
        return Element.of("p", "control")
                .with("hidden", "hidden")
                .add(
                        Element.of("label").with("for", ID + "-cost").text("c "),
                        Element.of("input")
                                .with("type", "range")
                                .with("id", ID + "-cost")
                                .with("min", "0")
                                .with("max", Double.toString(mostCost))
                                .with("step", Double.toString(COST_STEP))
                                .with("value", Svg.number(cost, 3)),
                        Element.of("output")
                                .with("id", ID + "-shown")
                                .with("for", ID + "-cost")
                                .text(Svg.number(cost, 3)));
    }

    private static Element draw(List<Entry> entries, double cost) {
        int rows = MIN_ROWS;
        for (Entry entry : entries) {
            rows =
                    (int)
                            Math.clamp(
                                    (long) Math.ceil(entry.variant().draftLength()),
                                    rows,
                                    MAX_ROWS);
        }
        double bottom = TOP + rows * HEIGHT;
        var drawn = new ArrayList<Markup>();
        for (int column = 0; column < COLUMNS; column++) {
            double alpha = column * ALPHA_STEP;
            int best = SpeedupTheory.bestLength(alpha, cost, rows);
            double x = LEFT + column * WIDTH;
            for (int length = 1; length <= rows; length++) {
                drawn.add(cell(alpha, length, cost, length == best, x, bottom - length * HEIGHT));
            }
            if (column % 2 == 0) {
                drawn.add(Svg.centred("tick", x + WIDTH / 2, bottom + 15, Svg.number(alpha, 1)));
            }
        }
        for (int length = 1; length <= rows; length++) {
            drawn.add(
                    Svg.ending(
                            "tick",
                            LEFT - 6,
                            bottom - (length - .5) * HEIGHT + 4,
                            Integer.toString(length)));
        }
        drawn.add(Svg.centred("name", (LEFT + Svg.WIDTH) / 2, bottom + 33, "alpha"));
        drawn.add(Svg.upwards("name", 12, (TOP + bottom) / 2, "K"));
        marks(drawn, entries, rows, bottom);
        key(drawn, entries, bottom + 52);
        return Svg.root(ID, TITLE, bottom + 48 + Series.legendHeight(entries.size()), drawn);
    }

    private static Element cell(
            double alpha, int length, double cost, boolean best, double x, double y) {
        double speedup = SpeedupTheory.speedup(alpha, length, cost);
        return Element.of("g", best ? "cell best" : "cell")
                .with("data-alpha", Svg.number(alpha, 2))
                .with("data-length", Integer.toString(length))
                .add(
                        Svg.rect(speedup >= 1 ? "gain" : "loss", x, y, WIDTH - 1, HEIGHT - 1)
                                .with("fill-opacity", Svg.number(opacity(speedup), 2)),
                        Svg.centred("tick", x + WIDTH / 2, y + 15, Svg.number(speedup, 1)));
    }

    /// Full at a speedup of 4 and more, and where nothing is left of plain decoding's speed.
    private static double opacity(double speedup) {
        return .6 * (speedup >= 1 ? Math.min(1, (speedup - 1) / 3) : 1 - speedup);
    }

    /// A mark of one or more variants, in the middle between them.
    private record Pin(double x, double y, List<Integer> entries) {
        static Pin of(int index, Entry entry, int rows, double bottom) {
            double alpha = Math.clamp(entry.variant().alpha(), 0, 1);
            double length = Math.clamp(entry.variant().draftLength(), .5, rows + .5);
            return new Pin(
                    LEFT + (alpha / ALPHA_STEP + .5) * WIDTH,
                    bottom - (length - .5) * HEIGHT,
                    List.of(index));
        }

        boolean covers(Pin other) {
            return Math.abs(y - other.y) < 2 * PIN
                    && Math.abs(x - other.x) < (width(text()) + width(other.text())) / 2;
        }

        Pin with(Pin other) {
            var all = Stream.concat(entries.stream(), other.entries.stream()).sorted().toList();
            double share = (double) other.entries.size() / all.size();
            return new Pin(x + share * (other.x - x), y + share * (other.y - y), all);
        }

        /// Numbers from 1; those that follow one another as a range.
        String text() {
            var text = new StringBuilder();
            for (int i = 0; i < entries.size(); i++) {
                int last = i;
                while (last + 1 < entries.size()
                        && entries.get(last + 1) == entries.get(last) + 1) {
                    last++;
                }
                text.append(i == 0 ? "" : " ").append(entries.get(i) + 1);
                if (last > i) {
                    text.append(last > i + 1 ? "-" : " ").append(entries.get(last) + 1);
                }
                i = last;
            }
            return text.toString();
        }
    }

    /// Variants whose marks would cover each other share one.
    private static void marks(List<Markup> drawn, List<Entry> entries, int rows, double bottom) {
        List<Pin> pins = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            place(Pin.of(i, entries.get(i), rows, bottom), pins);
        }
        for (Pin pin : pins) {
            String words =
                    pin.entries().stream()
                            .map(index -> words(entries.get(index)))
                            .collect(Collectors.joining("\n"));
            double width = width(pin.text());
            double x = Math.clamp(pin.x(), LEFT + width / 2, Svg.WIDTH - width / 2);
            drawn.add(Svg.told(pin(x, pin.y(), pin.text()), words));
        }
    }

    /// A shared mark is wider and may cover the next one, which then joins too.
    private static void place(Pin pin, List<Pin> pins) {
        Optional<Pin> covered = pins.stream().filter(pin::covers).findFirst();
        if (covered.isEmpty()) {
            pins.add(pin);
            return;
        }
        pins.remove(covered.get());
        place(covered.get().with(pin), pins);
    }

    private static void key(List<Markup> drawn, List<Entry> entries, double top) {
        for (int i = 0; i < entries.size(); i++) {
            double line = top + i * 18;
            drawn.add(pin(LEFT + 8, line, Integer.toString(i + 1)));
            drawn.add(
                    Svg.fitted(
                            Svg.text("label", LEFT + 26, line + 4, ""),
                            words(entries.get(i)),
                            Svg.WIDTH - LEFT - 32));
        }
    }

    private static String words(Entry entry) {
        var variant = entry.variant();
        return "%s: alpha %s, K %s, c %s, measured %s"
                .formatted(
                        entry.label(),
                        Svg.number(variant.alpha(), 3),
                        Svg.number(variant.draftLength(), 1),
                        Svg.number(variant.draftCost(), 3),
                        Svg.number(variant.speedup().median(), 2));
    }

    private static double width(String text) {
        return Math.max(2 * PIN, 6.2 * text.length() + 8);
    }

    private static Element pin(double x, double y, String text) {
        double width = width(text);
        return Element.of("g")
                .add(
                        Svg.rect("pin", x - width / 2, y - PIN, width, 2 * PIN).with("rx", PIN),
                        Svg.centred("pintext", x, y + 4, text));
    }

    private static List<List<String>> numbers(List<Entry> entries) {
        var numbers = new ArrayList<List<String>>();
        numbers.add(List.of("variant", "alpha", "K", "c", "expected at its c", "measured"));
        for (Entry entry : entries) {
            var variant = entry.variant();
            numbers.add(
                    List.of(
                            entry.label(),
                            Double.toString(variant.alpha()),
                            Double.toString(variant.draftLength()),
                            Double.toString(variant.draftCost()),
                            Double.toString(variant.formulaSpeedup()),
                            Double.toString(variant.speedup().median())));
        }
        return numbers;
    }
}
