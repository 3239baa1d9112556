package dev.outrider.experiment.sweep;

import dev.outrider.config.Loaded;
import dev.outrider.experiment.config.ExperimentConfig;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// An experiment with lists of values along some of its keys, expanded. Immutable.
///
/// @param axes     in the order of the file; the last one varies fastest
/// @param cells    every combination that is not excluded, each a whole configuration
/// @param excluded combinations that the file leaves out
public record SweepGrid(List<SweepPlan.Axis> axes, List<Cell> cells, int excluded) {
    public SweepGrid {
        axes = List.copyOf(axes);
        cells = List.copyOf(cells);
    }

    /// One combination.
    ///
    /// @param labels its value on every axis, by name of the axis
    /// @param loaded the configuration
    public record Cell(SequencedMap<String, String> labels, Loaded<ExperimentConfig> loaded) {
        public Cell {
            labels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(labels));
        }
    }
}
