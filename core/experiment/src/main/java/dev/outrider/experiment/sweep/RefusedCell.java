package dev.outrider.experiment.sweep;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// A combination that is not run because its output would not be the target's, or because it cannot work.
///
/// @param labels its value on every axis
/// @param code   name of the error
/// @param reason the error's sentence
public record RefusedCell(Map<String, String> labels, String code, String reason) {
    public RefusedCell {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /// Axes and values on one line.
    public String describe() {
        return PlannedCell.describe(labels);
    }
}
