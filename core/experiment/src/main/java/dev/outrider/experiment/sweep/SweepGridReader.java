package dev.outrider.experiment.sweep;

import dev.outrider.config.ConfigDocument;
import dev.outrider.config.ConfigLoader;
import dev.outrider.config.KeyDescription;
import dev.outrider.config.Loaded;
import dev.outrider.experiment.config.ExperimentConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// Reads experiments whose key `sweep` lists values of other keys.
public final class SweepGridReader {
    private final ConfigLoader loader;

    /// @param loader reads the file and binds every cell
    public SweepGridReader(ConfigLoader loader) {
        this.loader = loader;
    }

    /// The key of sweeps, with the keys below it. A single experiment does not have it.
    public static KeyDescription key() {
        return new KeyDescription(
                SweepAxesReader.SWEEP,
                "mapping",
                false,
                Optional.empty(),
                "Lists of values of other keys; for 'outrider sweep'.",
                SweepAxesReader.KEYS);
    }

    /// Whether a file has the key `sweep`.
    ///
    /// @throws dev.outrider.spi.error.OutriderException CONFIG_NOT_FOUND, IO_FAILED or CONFIG_SYNTAX
    public boolean isSweep(Path file) {
        return loader.open(file, List.of()).entry(SweepAxesReader.SWEEP).isPresent();
    }

    /// Returns a configuration for every combination.
    ///
    /// A mistake in one combination is a mistake in the file: all of them are reported at once, each at its place.
    ///
    /// @param file      a YAML file in UTF-8, at most [ConfigLoader#MAX_BYTES] long
    /// @param overrides arguments of `--set`, applied before the axes
    /// @throws dev.outrider.spi.error.OutriderException CONFIG_NOT_FOUND, IO_FAILED, CONFIG_SYNTAX, or CONFIG_INVALID with every
    ///                                            problem
    public SweepGrid read(Path file, List<String> overrides) {
        ConfigDocument document = loader.open(file, overrides);
        Optional<SweepAxes> read = new SweepAxesReader(document.problems()).read(document);
        if (read.isEmpty()) {
            document.requireNoProblems();
        }
        SweepAxes axes = read.orElseThrow();
        SweepGrid grid = cells(document, axes);
        if (grid.cells().isEmpty() && document.problems().size() == 0) {
            document.problems()
                    .add(
                            document.root().origin(),
                            SweepAxesReader.SWEEP,
                            "every combination is excluded");
        }
        document.requireNoProblems();
        return grid;
    }

    private static SweepGrid cells(ConfigDocument document, SweepAxes axes) {
        ConfigDocument base = document.without(SweepAxesReader.SWEEP);
        List<SweepGrid.Cell> cells = new ArrayList<>();
        int excluded = 0;
        for (List<SweepAxes.Choice> combination : axes.combinations()) {
            if (axes.excludes(combination)) {
                excluded++;
                continue;
            }
            SweepAxes.set(base, combination)
                    .bind(ExperimentConfig.class)
                    .ifPresent(loaded ->
                            cells.add(new SweepGrid.Cell(SweepAxes.labels(combination), loaded)));
        }
        return new SweepGrid(
                axes.axes().stream()
                        .map(axis -> new SweepPlan.Axis(axis.name(), axis.labels()))
                        .toList(),
                cells,
                excluded);
    }

    /// An experiment with lists of values along some of its keys, expanded. Immutable.
    ///
    /// @param axes     in the order of the file; the last one varies fastest
    /// @param cells    every combination that is not excluded, each a whole configuration
    /// @param excluded combinations that the file leaves out
    public record SweepGrid(List<SweepPlan.Axis> axes, List<Cell> cells, int excluded) {
        /// One combination.
        ///
        /// @param labels its value on every axis, by name of the axis
        /// @param loaded the configuration
        public record Cell(SequencedMap<String, String> labels, Loaded<ExperimentConfig> loaded) {}
    }
}
