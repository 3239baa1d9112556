package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.report.chart.TrainingCurve.Calibration;
import java.util.ArrayList;
import java.util.List;

/// A confidence head's reliability: what it says against what comes of it.
final class ReliabilityFigure {
    static final String ID = "reliability";
    static final String TITLE = "Reliability of the confidence";
    private static final double LEFT = 60;
    private static final double RIGHT = 430;
    private static final double TOP = 16;
    private static final double BOTTOM = TOP + RIGHT - LEFT;
    private static final double LONGEST = 240;
    private static final double SHARES = RIGHT + 40;

    private ReliabilityFigure() {}

    static Figure of(Calibration calibration) {
        String caption =
                "Guesses of the validation rows in bins of what the confidence head says of them: their mean probability of acceptance"
                        + " against their mean confidence. On the dashed line the head is right; below it, it is too sure. Bars on the"
                        + " right: each bin's share of the guesses. Expected calibration error, the mean distance from the line weighted"
                        + " by the shares: %s."
                                .formatted(Svg.number(calibration.expectedError(), 3));
        return Figure.drawn(ID, TITLE, caption, draw(calibration), numbers(calibration));
    }

    private static Element draw(Calibration calibration) {
        var x = new Scale(0, 1, LEFT, RIGHT);
        var y = new Scale(0, 1, BOTTOM, TOP);
        var drawn = new ArrayList<Markup>();
        drawn.addAll(Axes.vertical(y, LEFT, RIGHT, "acceptance"));
        drawn.addAll(Axes.horizontal(x, TOP, BOTTOM, "confidence"));
        drawn.add(Svg.line("reference", x.at(0), y.at(0), x.at(1), y.at(1)));
        var line = new ArrayList<double[]>();
        calibration
                .bins()
                .forEach(bin ->
                        line.add(new double[] {x.at(bin.confidence()), y.at(bin.acceptance())}));
        drawn.add(Svg.polyline(Series.line(0), line));
        double most =
                calibration.bins().stream().mapToDouble(Calibration.Bin::share).max().orElse(1);
        for (var bin : calibration.bins()) {
            String words =
                    "confidence %s: accepted %s, %s %% of the guesses"
                            .formatted(
                                    Svg.number(bin.confidence(), 3),
                                    Svg.number(bin.acceptance(), 3),
                                    Svg.number(100 * bin.share(), 1));
            drawn.add(
                    Svg.told(
                            Series.mark(0, x.at(bin.confidence()), y.at(bin.acceptance()), false),
                            words));
            double height = y.at(bin.acceptance());
            drawn.add(
                    Svg.told(
                            Svg.line(
                                    "whisker " + Series.colour(0),
                                    SHARES,
                                    height,
                                    SHARES + LONGEST * bin.share() / most,
                                    height),
                            words));
        }
        drawn.add(Svg.text("tick", SHARES, BOTTOM + 16, "share of the guesses"));
        return Svg.root(ID, TITLE, BOTTOM + 42, drawn);
    }

    private static List<List<String>> numbers(Calibration calibration) {
        var numbers = new ArrayList<List<String>>();
        numbers.add(List.of("bin", "share", "mean confidence", "mean acceptance"));
        for (var bin : calibration.bins()) {
            numbers.add(
                    List.of(
                            Integer.toString(bin.number()),
                            Double.toString(bin.share()),
                            Double.toString(bin.confidence()),
                            Double.toString(bin.acceptance())));
        }
        return numbers;
    }
}
