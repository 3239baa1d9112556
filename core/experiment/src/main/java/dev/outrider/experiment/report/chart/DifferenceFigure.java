package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.stats.Interval;
import java.util.ArrayList;
import java.util.List;

/// Differences of speedups with their intervals.
public final class DifferenceFigure {
    private static final String ID = "difference";
    private static final String TITLE = "Difference of speedups";

    private DifferenceFigure() {}

    /// One variant in both results.
    public record Entry(String label, Interval difference) {}

    /// Draw the differences, second results less first.
    public static Figure of(List<Entry> entries) {
        var rows = new ArrayList<Forest.Row>();
        double most = .1;
        for (Entry entry : entries) {
            rows.add(
                    new Forest.Row(
                            "second less first", entry.label(), rows.size(), entry.difference()));
            most = Math.max(most, Math.abs(entry.difference().least()));
            most = Math.max(most, Math.abs(entry.difference().most()));
        }
        double edge = Scale.fromZero(most, 0, 1).high();
        var scale = new Scale(-edge, edge, Forest.LEFT, Forest.RIGHT);
        return Figure.drawn(
                ID,
                TITLE,
                "Median speedup in the second results less that in the first, on prompts that both measured, with its 95 %"
                        + " bootstrap interval; prompts are resampled for both together. Right of the line the second is faster; an"
                        + " interval across the line shows no difference.",
                Forest.draw(ID, TITLE, rows, scale, 0, "no difference", "difference of speedups"),
                Forest.numbers(rows, List.of("what", "variant", "difference", "low", "high")));
    }
}
