package dev.outrider.experiment.sweep;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// `failure.json`: why the last attempt at a cell failed. The next run of the sweep tries it again.
///
/// @param index    number of the cell
/// @param id       name of its folder
/// @param labels   its value on every axis
/// @param planHash the plan it belongs to
/// @param code     name of the error
/// @param message  what was wrong and what to do
public record CellFailure(
        int index,
        String id,
        Map<String, String> labels,
        String planHash,
        String code,
        String message) {
    public CellFailure {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }
}
