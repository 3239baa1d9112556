package dev.outrider.experiment.stats;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.RoundRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
/// @param interval  of t(n), from resampled prompts; absent in older files and from a single prompt
public record CostPoint(
        int rows,
        long passes,
        double meanNanos,
        double ratio,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) OptionalDouble experts,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Interval> interval) {
    private static final int FEW = 5;
    private static final long SEED = 1;

    private record Pass(int prompt, RoundRecord round) {
        private double nanos() {
            return round.times().score();
        }
    }

    /// Returns whether the passes are so few that one slow pass decides.
    public boolean few() {
        return passes < FEW;
    }

    /// Returns the curve of all passes of a comparison, by rows. Passes of beam searches are left out: their rows are of several
    /// texts.
    public static List<CostPoint> curve(List<GenerationRecord> generations) {
        Map<Integer, List<Pass>> byRows =
                generations.stream()
                        .filter(record -> record.hypotheses().isEmpty())
                        .flatMap(record ->
                                record.rounds().stream()
                                        .map(round -> new Pass(record.prompt(), round)))
                        .collect(
                                Collectors.groupingBy(
                                        pass -> pass.round().nodes() + 1,
                                        TreeMap::new,
                                        Collectors.toList()));
        List<Pass> ones = byRows.getOrDefault(1, List.of());
        double one = ones.stream().mapToDouble(Pass::nanos).average().orElse(0);
        return byRows.entrySet().stream()
                .map(entry -> {
                    var passes = entry.getValue();
                    var time = Bootstrap.ratio(passes, Pass::prompt, Pass::nanos, _ -> 1, SEED);
                    return new CostPoint(
                            entry.getKey(),
                            passes.size(),
                            time.value(),
                            Diagnosis.Finite.orZero(time.value() / one),
                            experts(passes),
                            Optional.of(time).filter(each -> each.low().isPresent()));
                })
                .toList();
    }

    private static OptionalDouble experts(List<Pass> passes) {
        return passes.stream().flatMapToDouble(pass -> pass.round().experts().stream()).average();
    }
}
