package dev.outrider.experiment.stats;

import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.Side;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.RoundRecord;
import dev.outrider.spi.Drafter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Everything a report says about one side of a comparison.
///
/// @param side       the side
/// @param generations     measured generations
/// @param tokensPerSecond all emitted tokens over the whole time of all generations, prefill included
/// @param speedup         time per token of plain decoding over this side's, paired by prompt and repetition
/// @param metrics         counts and times of all rounds
/// @param means           mean times of a round
/// @param latency         latencies
/// @param cost            c: one draft step over one target pass of one row
/// @param predictions     what theory expects
/// @param memoryBound     tokens per round / (parameter ratio x draft steps + 1), empty if a parameter count is unknown
/// @param diagnosis       why the measured speedup is not the formula's; empty for plain decoding
public record SideStatistics(
        Side side,
        int generations,
        double tokensPerSecond,
        Interval speedup,
        DecodeMetrics metrics,
        RoundMeans means,
        Latency latency,
        double cost,
        Predictions predictions,
        Optional<Double> memoryBound,
        Optional<Diagnosis> diagnosis) {

    private static final double NANOS_PER_SECOND = 1e9;

    /// Statistics of every side of a comparison that measured anything, in the order of the sides.
    public static List<SideStatistics> of(ComparisonResult result) {
        if (result.generations().isEmpty()) {
            return List.of();
        }
        Map<String, List<GenerationRecord>> bySide =
                result.generations().stream()
                        .collect(Collectors.groupingBy(GenerationRecord::side));
        return result.plan().sides().stream()
                .map(side ->
                        of(
                                side,
                                bySide.getOrDefault(side.name(), List.of()),
                                bySide.getOrDefault(side.baseline(), List.of()),
                                result.plan()))
                .toList();
    }

    private static SideStatistics of(
            Side side,
            List<GenerationRecord> own,
            List<GenerationRecord> plain,
            ComparisonPlan plan) {
        DecodeMetrics metrics = metrics(own);
        DecodeMetrics plainMetrics = metrics(plain);
        List<RoundRecord> rounds =
                own.stream().flatMap(record -> record.rounds().stream()).toList();
        Interval speedup = Bootstrap.median(ratios(own, plain, plan.batch()), plan.seed());
        return new SideStatistics(
                side,
                own.size(),
                tokensPerSecond(own),
                speedup,
                metrics,
                RoundMeans.of(metrics, rounds),
                Latency.of(own),
                Finite.orZero(metrics.costRatio(plainMetrics.passNanos())),
                Predictions.of(metrics, plainMetrics),
                memoryBound(side, metrics),
                side.plain()
                        ? Optional.empty()
                        : Optional.of(
                                Diagnosis.of(
                                        metrics,
                                        plainMetrics,
                                        tokensPerSecond(own) / tokensPerSecond(plain),
                                        speedup.median())));
    }

    private static DecodeMetrics metrics(List<GenerationRecord> generations) {
        return generations.stream()
                .map(GenerationRecord::metrics)
                .reduce(DecodeMetrics.none(), DecodeMetrics::plus);
    }

    private static double tokensPerSecond(List<GenerationRecord> generations) {
        long tokens = generations.stream().mapToLong(record -> record.tokens().size()).sum();
        long nanos = generations.stream().mapToLong(GenerationRecord::wallNanos).sum();
        return nanos == 0 ? 0 : tokens * NANOS_PER_SECOND / nanos;
    }

    /// Prompts decoded together, in one repetition.
    private record Turn(int group, int repetition) {}

    /// Time and tokens of a turn.
    private record Work(long nanos, long tokens) {
        Work plus(Work other) {
            return new Work(nanos + other.nanos, tokens + other.tokens);
        }

        double perToken() {
            return (double) nanos / tokens;
        }
    }

    private static Map<Turn, Work> work(List<GenerationRecord> generations, int batch) {
        return generations.stream()
                .collect(
                        Collectors.toMap(
                                record -> new Turn(record.prompt() / batch, record.repetition()),
                                record -> new Work(record.wallNanos(), record.tokens().size()),
                                Work::plus,
                                LinkedHashMap::new));
    }

    /// Ratios of time per token, of the prompts that were decoded together, grouped by these prompts.
    private static List<List<Double>> ratios(
            List<GenerationRecord> own, List<GenerationRecord> plain, int batch) {
        Map<Turn, Work> baseline = work(plain, batch);
        Map<Integer, List<Double>> byGroup = new TreeMap<>();
        work(own, batch)
                .forEach((turn, work) ->
                        Optional.ofNullable(baseline.get(turn))
                                .ifPresent(other ->
                                        byGroup.computeIfAbsent(
                                                        turn.group(), _ -> new ArrayList<>())
                                                .add(other.perToken() / work.perToken())));
        return List.copyOf(byGroup.values());
    }

    private static Optional<Double> memoryBound(Side side, DecodeMetrics metrics) {
        long parameters = side.decoder().target().description().parameters();
        Optional<Drafter> drafter = side.decoder().drafter();
        if (parameters <= 0 || drafter.isEmpty()) {
            return Optional.empty();
        }
        double share = (double) drafter.get().parameters() / parameters;
        return Optional.of(metrics.memoryBoundSpeedup(share));
    }
}
