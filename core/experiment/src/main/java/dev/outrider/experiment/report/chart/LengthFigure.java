package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.results.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// What a policy drafted, what was accepted of it, and what a token took, along the rounds of a run.
final class LengthFigure {
    static final String ID = "lengths";
    static final String TITLE = "Lengths over the rounds";
    private static final int MAX = 6;
    private static final int POINTS = 150;
    private static final int MIN_WINDOW = 8;
    private static final int WINDOWS = 40;
    private static final double HEIGHT = 190;
    private static final double TOP = 28;
    private static final double BOTTOM = 140;
    private static final double MICRO = 1e3;
    private static final double MILLI = 1e6;

    private LengthFigure() {}

    private record Course(String label, int window, List<RoundCourse.Point> points) {}

    static Figure of(Results results) {
        var courses =
                RoundCourse.of(results).stream()
                        .map(course -> {
                            int window = Math.max(MIN_WINDOW, course.rounds().size() / WINDOWS);
                            return new Course(
                                    course.variant(), window, course.moving(window, POINTS));
                        })
                        .filter(course -> course.points().size() > 1)
                        .toList();
        if (courses.isEmpty()) {
            return Figure.missing(
                    ID,
                    TITLE,
                    "No variant of a single comparison chose the lengths of its drafts, so there is nothing to draw over the rounds.");
        }
        var shown = courses.subList(0, Math.min(MAX, courses.size()));
        String caption =
                "Moving means along the rounds of all generations, in the order they were run. Left: depth drafted (solid) and drafted"
                        + " tokens accepted (dashed). Right: time per emitted token, drafting included, prefill not."
                        + (courses.size() > MAX
                                ? " The first %d of %d variants are drawn, all are in the numbers."
                                        .formatted(MAX, courses.size())
                                : "");
        return Figure.drawn(ID, TITLE, caption, draw(shown), numbers(courses));
    }

    private static Element draw(List<Course> courses) {
        var drawn = new ArrayList<Markup>();
        double top = 0;
        for (var course : courses) {
            drawn.add(
                    Svg.fitted(
                            Svg.text("group", 56, top + TOP - 12, ""),
                            "%s, means of %d rounds".formatted(course.label(), course.window()),
                            Svg.WIDTH - 60));
            double last = course.points().getLast().round();
            var x = new Scale(0, last, 56, 350);
            double most = most(course, point -> Math.max(point.depth(), point.accepted()));
            var y = Scale.fromZero(most, top + BOTTOM, top + TOP);
            drawn.addAll(Axes.vertical(y, 56, 350, "tokens"));
            drawn.addAll(Axes.horizontal(x, top + TOP, top + BOTTOM, "round"));
            drawn.add(line(course, 0, RoundCourse.Point::depth, x, y));
            drawn.add(line(course, 1, RoundCourse.Point::accepted, x, y));
            var right = new Scale(0, last, 426, 710);
            double slowest = most(course, RoundCourse.Point::nanos);
            double unit = slowest < MILLI ? MICRO : MILLI;
            var time = Scale.fromZero(slowest / unit, top + BOTTOM, top + TOP);
            drawn.addAll(
                    Axes.vertical(time, 426, 710, unit < MILLI ? "\u00B5s a token" : "ms a token"));
            drawn.addAll(Axes.horizontal(right, top + TOP, top + BOTTOM, "round"));
            drawn.add(line(course, 0, point -> point.nanos() / unit, right, time));
            top += HEIGHT;
        }
        return Svg.root(ID, TITLE, top, drawn);
    }

    private static double most(Course course, ToDoubleFunction<RoundCourse.Point> number) {
        return course.points().stream().mapToDouble(number).max().orElse(1);
    }

    private static Element line(
            Course course,
            int series,
            ToDoubleFunction<RoundCourse.Point> number,
            Scale x,
            Scale y) {
        return Svg.polyline(
                Series.line(series),
                course.points().stream()
                        .map(point ->
                                new double[] {
                                    x.at(point.round()), y.at(number.applyAsDouble(point))
                                })
                        .toList());
    }

    private static List<List<String>> numbers(List<Course> courses) {
        var numbers = new ArrayList<List<String>>();
        numbers.add(List.of("variant", "round", "window", "depth", "accepted", "ns a token"));
        for (var course : courses) {
            for (var point : course.points()) {
                numbers.add(
                        List.of(
                                course.label(),
                                Integer.toString(point.round()),
                                Integer.toString(course.window()),
                                Double.toString(point.depth()),
                                Double.toString(point.accepted()),
                                Double.toString(point.nanos())));
            }
        }
        return numbers;
    }
}
