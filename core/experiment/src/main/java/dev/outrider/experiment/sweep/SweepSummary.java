package dev.outrider.experiment.sweep;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.outrider.experiment.report.column.Summary;
import dev.outrider.experiment.stats.SideResult;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `sweep.json`: the merged results. A function of the plan and of the cells' files alone, so that it does not matter how often
/// the sweep was interrupted, or how many processes ran it.
///
/// @param name      of the sweep
/// @param question  what it is to find out
/// @param planHash  of its plan
/// @param revisions what ran the finished cells; more than one only if that was allowed
/// @param axes      what varies
/// @param planned   cells of the plan
/// @param finished  cells with results
/// @param excluded  combinations that the file leaves out
/// @param cells     the finished ones, in the plan's order
/// @param failures  cells whose last attempt failed
/// @param refused   combinations that are not run
public record SweepSummary(
        String name,
        String question,
        String planHash,
        List<String> revisions,
        List<SweepPlan.Axis> axes,
        int planned,
        int finished,
        int excluded,
        List<Cell> cells,
        List<CellFailure> failures,
        List<RefusedCell> refused) {
    public SweepSummary {
        revisions = List.copyOf(revisions);
        axes = List.copyOf(axes);
        cells = List.copyOf(cells);
        failures = List.copyOf(failures);
        refused = List.copyOf(refused);
    }

    /// A finished cell.
    ///
    /// @param index      its number
    /// @param id         its name
    /// @param labels     its value on every axis
    /// @param folder     its results, relative to the sweep's folder
    /// @param configHash its configuration
    /// @param seconds    how long it took
    /// @param variants   its results, in the file as `summary`: an object for each side, as in its `summary.json`
    public record Cell(
            int index,
            String id,
            Map<String, String> labels,
            String folder,
            String configHash,
            double seconds,
            @JsonIgnore List<SideResult> variants) {
        public Cell {
            labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
            variants = List.copyOf(variants);
        }

        /// What the file says of the variants.
        @JsonProperty
        List<Map<String, Object>> summary() {
            return Summary.of(variants);
        }
    }
}
