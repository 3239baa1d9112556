package dev.outrider.training;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Losses and measures over the validation rows, which are read once. Confined.
final class Validator {
    private final List<String> names;
    private final List<TokenRows> rows = new ArrayList<>();

    Validator(TrainingJob job, Learner learner) {
        names = learner.measures();
        try (var single = job.validation().open(1, 0)) {
            for (int row = 0; row < job.config().validationRows(); row++) {
                rows.add(single.next());
            }
        }
    }

    /// Means over the rows.
    Validation of(TrainingStep parameters) {
        var sums = new double[1 + names.size()];
        for (var row : rows) {
            var found = parameters.measures(row);
            for (int i = 0; i < sums.length; i++) {
                sums[i] += found[i] / rows.size();
            }
        }
        var measures = new LinkedHashMap<String, Double>();
        for (int i = 0; i < names.size(); i++) {
            measures.put(names.get(i), sums[i + 1]);
        }
        return new Validation(sums[0], measures);
    }

    /// The result of a validation.
    ///
    /// @param loss     mean over the validation rows
    /// @param measures the learner's further measures
    record Validation(double loss, Map<String, Double> measures) {}
}
