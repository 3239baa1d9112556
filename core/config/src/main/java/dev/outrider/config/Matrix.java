package dev.outrider.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// A configuration with lists along some of its keys, expanded. Immutable.
///
/// @param axes     in the order of the file; the last one varies fastest
/// @param cells    every combination that is not excluded, each a whole configuration
/// @param excluded combinations that the file leaves out
public record Matrix<C extends Record>(List<Axis> axes, List<Cell<C>> cells, int excluded) {
    public Matrix {
        axes = List.copyOf(axes);
        cells = List.copyOf(cells);
    }

    /// What varies.
    ///
    /// @param name   the key it sets, or the name that the file gives several keys
    /// @param values how reports call each value
    public record Axis(String name, List<String> values) {
        public Axis {
            values = List.copyOf(values);
        }
    }

    /// One combination.
    ///
    /// @param labels its value on every axis, by name of the axis
    /// @param loaded the configuration
    public record Cell<C extends Record>(SequencedMap<String, String> labels, Loaded<C> loaded) {
        public Cell {
            labels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(labels));
        }
    }
}
