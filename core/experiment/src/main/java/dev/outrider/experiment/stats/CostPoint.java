package dev.outrider.experiment.stats;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.RoundRecord;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// One point of a target's cost curve t(n): the time of a pass over n rows. In a batch, a sequence counts its own
/// rows and its share of the pass.
///
/// @param rows      n, the root included
/// @param passes    number of measured passes, all variants together
/// @param meanNanos t(n)
/// @param ratio     t(n) / t(1); 0 if no pass of one row was measured
/// @param experts   different experts that a pass activated, the mean over passes and layers; absent for a target without any
public record CostPoint(
        int rows,
        long passes,
        double meanNanos,
        double ratio,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) OptionalDouble experts) {
    /// Returns the curve of all passes of a comparison, by rows. Passes of beam searches are left out: their rows are of several
    /// texts.
    public static List<CostPoint> curve(List<GenerationRecord> generations) {
        Map<Integer, List<RoundRecord>> byRows =
                generations.stream()
                        .filter(record -> record.hypotheses().isEmpty())
                        .flatMap(record -> record.rounds().stream())
                        .collect(
                                Collectors.groupingBy(
                                        round -> round.nodes() + 1,
                                        TreeMap::new,
                                        Collectors.toList()));
        double one = mean(byRows.getOrDefault(1, List.of()));
        return byRows.entrySet().stream()
                .map(entry -> {
                    double mean = mean(entry.getValue());
                    return new CostPoint(
                            entry.getKey(),
                            entry.getValue().size(),
                            mean,
                            Diagnosis.Finite.orZero(mean / one),
                            experts(entry.getValue()));
                })
                .toList();
    }

    private static OptionalDouble experts(List<RoundRecord> rounds) {
        return rounds.stream().flatMapToDouble(round -> round.experts().stream()).average();
    }

    private static double mean(List<RoundRecord> rounds) {
        return rounds.stream().mapToLong(round -> round.times().score()).average().orElse(0);
    }
}
