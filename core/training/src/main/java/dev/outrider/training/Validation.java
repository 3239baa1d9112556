package dev.outrider.training;

import java.util.LinkedHashMap;
import java.util.Map;

/// What a validation found.
///
/// @param loss     mean over the validation rows
/// @param measures the learner's further measures, and others'
record Validation(double loss, Map<String, Double> measures) {
    Validation with(String name, double value) {
        var more = new LinkedHashMap<>(measures);
        more.put(name, value);
        return new Validation(loss, more);
    }
}
