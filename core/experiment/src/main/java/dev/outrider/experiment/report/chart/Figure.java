package dev.outrider.experiment.report.chart;

import java.util.List;
import java.util.Optional;

/// A drawing, or the sentence that stands where there is nothing to draw.
///
/// @param id      distinct in a page; also the name of its files
/// @param title   a heading
/// @param caption how to read it and how its numbers are defined; where there is no drawing, why
/// @param drawing an `svg` element
/// @param control what a reader can change about it, shown where scripts run
/// @param numbers what is drawn as a table, the first row its head; empty without a drawing
public record Figure(
        String id,
        String title,
        String caption,
        Optional<Element> drawing,
        Optional<Element> control,
        List<List<String>> numbers) {
    public Figure {
        numbers = numbers.stream().map(List::copyOf).toList();
    }

    static Figure drawn(
            String id, String title, String caption, Element svg, List<List<String>> numbers) {
        return new Figure(id, title, caption, Optional.of(svg), Optional.empty(), numbers);
    }

    static Figure missing(String id, String title, String why) {
        return new Figure(id, title, why, Optional.empty(), Optional.empty(), List.of());
    }

    Figure controlledBy(Element input) {
        return new Figure(id, title, caption, drawing, Optional.of(input), numbers);
    }
}
