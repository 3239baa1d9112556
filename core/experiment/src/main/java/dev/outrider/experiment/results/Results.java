package dev.outrider.experiment.results;

import dev.outrider.common.Require;
import dev.outrider.experiment.run.Samples;
import dev.outrider.experiment.stats.VariantResult;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The results that a report shows: one comparison, or all cells of a sweep.
///
/// @param name   name of the folder
/// @param folder where the results are
/// @param cells  at least one, in order
/// @param gaps   a sentence for each part that has no result: failed, refused, not yet run, unfinished
public record Results(String name, Path folder, List<Cell> cells, List<String> gaps) {
    public Results {
        cells = List.copyOf(cells);
        gaps = List.copyOf(gaps);
        Require.that(!cells.isEmpty(), "results need at least one cell");
    }

    /// Returns whether there are several cells.
    public boolean several() {
        return cells.size() > 1;
    }

    /// Every variant of every cell.
    public List<Entry> entries() {
        return cells.stream()
                .flatMap(cell ->
                        cell.speculative().stream()
                                .map(variant ->
                                        new Entry(cell, variant, label(cell, variant.name()))))
                .toList();
    }

    /// Returns the label of a variant: the title of its cell, and the variant's name if the cell has several variants.
    public String label(Cell cell, String name) {
        if (!several()) {
            return name;
        }
        boolean only =
                cells.stream().allMatch(each -> each.speculative().size() == 1)
                        && cell.speculative().getFirst().name().equals(name);
        return only ? cell.title() : cell.title() + ": " + name;
    }

    /// The question of the experiment; one line for each comparison if their questions differ.
    public String question() {
        return said(Report::question);
    }

    /// As [#question]: whose text and whose costs the numbers have, if targets are in other models' shapes.
    public String shaped() {
        return said(report -> report.shaped().orElse(""));
    }

    private String said(Function<Report, String> sentence) {
        var all = cells.stream().map(cell -> sentence.apply(cell.report()).strip()).toList();
        return all.stream().distinct().count() == 1
                ? all.getFirst()
                : IntStream.range(0, all.size())
                        .filter(cell -> !all.get(cell).isEmpty())
                        .mapToObj(cell -> cells.get(cell).title() + ": " + all.get(cell))
                        .collect(Collectors.joining("\n"));
    }

    /// A variant in its cell.
    ///
    /// @param label distinct within the results
    public record Entry(Cell cell, VariantResult variant, String label) {}

    /// The axes of a sweep in drawings and headings: short names, distinct within a cell.
    public static final class AxisNames {
        private static final String TEMPERATURE = "temperature";

        private AxisNames() {}

        /// Returns the name of an axis: the last part of a key, `T` for the temperature; the whole key if another axis would get
        /// the same name.
        ///
        /// @param all every axis of the sweep
        public static String brief(String axis, Collection<String> all) {
            String brief = lastPart(axis);
            boolean distinct =
                    all.stream().filter(each -> lastPart(each).equals(brief)).count() < 2;
            return distinct ? brief : axis;
        }

        /// Returns the title of a cell, such as `chain, T 0.6`. A value that is a name needs no axis in front; keys have dots, axes with
        /// values of their own names have none.
        static String title(Map<String, String> labels) {
            return labels.entrySet().stream()
                    .map(label -> {
                        boolean named =
                                label.getKey().indexOf('.') < 0
                                        && label.getValue().chars().anyMatch(Character::isLetter);
                        return named
                                ? label.getValue()
                                : brief(label.getKey(), labels.keySet()) + " " + label.getValue();
                    })
                    .collect(Collectors.joining(", "));
        }

        private static String lastPart(String axis) {
            String last = axis.substring(axis.lastIndexOf('.') + 1);
            return last.equals(TEMPERATURE) ? "T" : last;
        }
    }

    /// One comparison's results: a folder that `outrider bench` or a sweep's worker wrote.
    ///
    /// @param name       name of its folder
    /// @param folder     where it is
    /// @param labels     its values on the axes of a sweep; empty for a single comparison
    /// @param report     every number
    /// @param provenance where the numbers come from
    /// @param samples    rounds token by token, and the distributions of one
    public record Cell(
            String name,
            Path folder,
            Map<String, String> labels,
            Report report,
            Optional<Provenance> provenance,
            Optional<Samples> samples) {
        /// Every variant but plain decoding, in the order of the configuration.
        public List<VariantResult> speculative() {
            return report.speculative();
        }

        /// Returns its title among other cells.
        public String title() {
            return labels.isEmpty() ? name : AxisNames.title(labels);
        }

        /// Whether this is the same cell of another run of its sweep, or a comparison in a folder of the same name.
        public boolean pairsWith(Cell other) {
            return labels.isEmpty() && other.labels.isEmpty()
                    ? name.equals(other.name)
                    : labels.equals(other.labels);
        }
    }
}
