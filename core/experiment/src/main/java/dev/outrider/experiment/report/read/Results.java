package dev.outrider.experiment.report.read;

import dev.outrider.experiment.stats.SideResult;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/// What a report is about: one comparison, or all cells of a sweep.
///
/// @param name   name of the folder
/// @param folder where the results are
/// @param cells  at least one, in order
/// @param gaps   a sentence for each part that has no result: failed, refused, not yet run, unfinished
public record Results(String name, Path folder, List<Cell> cells, List<String> gaps) {
    public Results {
        cells = List.copyOf(cells);
        gaps = List.copyOf(gaps);
        if (cells.isEmpty()) {
            throw new IllegalArgumentException("results need at least one cell");
        }
    }

    /// Whether cells have to be told apart.
    public boolean several() {
        return cells.size() > 1;
    }

    /// Every variant of every cell.
    public List<Variant> variants() {
        return cells.stream()
                .flatMap(cell ->
                        cell.variants().stream()
                                .map(side -> new Variant(cell, side, label(cell, side.name()))))
                .toList();
    }

    /// What to call a side of a cell: what sets the cell apart, and the name of the side where the cell has several variants.
    public String label(Cell cell, String side) {
        if (!several()) {
            return side;
        }
        boolean only =
                cells.stream().allMatch(each -> each.variants().size() == 1)
                        && cell.variants().getFirst().name().equals(side);
        return only ? cell.title() : cell.title() + ": " + side;
    }

    /// The question of the experiment; a line for each comparison where they ask different ones.
    public String question() {
        var questions =
                cells.stream()
                        .map(cell -> cell.report().question().strip())
                        .filter(question -> !question.isEmpty())
                        .distinct()
                        .toList();
        return questions.size() < 2
                ? String.join("", questions)
                : cells.stream()
                        .map(cell -> cell.title() + ": " + cell.report().question().strip())
                        .collect(Collectors.joining("\n"));
    }

    /// A variant in its cell.
    ///
    /// @param label distinct within the results
    public record Variant(Cell cell, SideResult side, String label) {}
}
