package dev.outrider.experiment.stats;

import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.experiment.run.GenerationRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// How a variant did over the course of the run: its prompts in the order in which they came, in thirds. Prompts differ, so the course of a
/// variant that learns is compared with that of one that does not, on the same prompts.
///
/// @param learns         whether its drafter learns
/// @param learnShare     of the variant's time, what its drafter learned in
/// @param tokensPerRound of each third, all repetitions together
/// @param alpha          of each third
public record LearningCurve(
        boolean learns, double learnShare, List<Double> tokensPerRound, List<Double> alpha) {
    private static final int PARTS = 3;

    /// The course of a variant.
    ///
    /// @param generations at least one, in the order they ran
    static LearningCurve of(boolean learns, List<GenerationRecord> generations) {
        Map<Integer, List<GenerationRecord>> repetitions =
                generations.stream()
                        .collect(
                                Collectors.groupingBy(
                                        GenerationRecord::repetition,
                                        TreeMap::new,
                                        Collectors.toList()));
        var tokensPerRound = new ArrayList<Double>();
        var alpha = new ArrayList<Double>();
        for (int part = 0; part < PARTS; part++) {
            var metrics = DecodeMetrics.none();
            for (var repetition : repetitions.values()) {
                int from = repetition.size() * part / PARTS;
                int to = repetition.size() * (part + 1) / PARTS;
                for (var record : repetition.subList(from, to)) {
                    metrics = metrics.plus(record.metrics());
                }
            }
            tokensPerRound.add(Diagnosis.Finite.orZero(metrics.tokensPerRound()));
            alpha.add(Diagnosis.Finite.orZero(metrics.alpha()));
        }
        long all = generations.stream().mapToLong(GenerationRecord::wallNanos).sum();
        long learning = generations.stream().mapToLong(GenerationRecord::learnNanos).sum();
        return new LearningCurve(
                learns, Diagnosis.Finite.orZero((double) learning / all), tokensPerRound, alpha);
    }
}
