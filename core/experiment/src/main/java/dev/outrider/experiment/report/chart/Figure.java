package dev.outrider.experiment.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A figure, or the sentence that replaces it if there is nothing to draw.
///
/// @param id      distinct in a page; also the name of its files
/// @param title   a heading
/// @param caption how to read it and how its numbers are defined; without a drawing, the reason
/// @param drawing an `svg` element
/// @param numbers the data of the drawing as a table, the first row its head; empty without a drawing
public record Figure(
        String id,
        String title,
        String caption,
        Optional<Element> drawing,
        List<List<String>> numbers) {
    static Figure missing(String id, String title, String why) {
        return new Figure(id, title, why, Optional.empty(), List.of());
    }

    /// The content of a figure.
    ///
    /// @param height of the drawing
    /// @param marks  of the drawing
    record Content(String caption, double height, List<Markup> marks, Numbers numbers) {
        Figure figure(String id, String title) {
            return new Figure(
                    id,
                    title,
                    caption,
                    Optional.of(Svg.root(id, title, height, marks)),
                    numbers.rows());
        }
    }

    /// The first elements of a list, as many as a figure can show.
    static <T> List<T> first(List<T> all, int max) {
        return all.subList(0, Math.min(max, all.size()));
    }

    /// Returns a sentence with the number of elements that are drawn; empty if all are.
    static String drawnOf(List<?> all, int max, String what) {
        return all.size() <= max
                ? ""
                : " The first %d of %d %s are drawn, all are in the numbers."
                        .formatted(max, all.size(), what);
    }

    /// A table of numbers under construction.
    static final class Numbers {
        private final List<List<String>> rows = new ArrayList<>();

        /// Begins with a head.
        Numbers(Object... head) {
            row(head);
        }

        /// Adds a row; a list is as many cells.
        void row(Object... cells) {
            var row = new ArrayList<String>();
            for (Object cell : cells) {
                if (cell instanceof List<?> several) {
                    several.forEach(each -> row.add(String.valueOf(each)));
                } else {
                    row.add(String.valueOf(cell));
                }
            }
            rows.add(row);
        }

        List<List<String>> rows() {
            return List.copyOf(rows);
        }
    }
}
