package dev.outrider.experiment.stats;

import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.Contender;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.RoundRecord;
import dev.outrider.spi.Drafter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Everything a report says about one side of a comparison.
///
/// @param contender       the side
/// @param generations     measured generations
/// @param tokensPerSecond all emitted tokens over the whole time of all generations, prefill included
/// @param speedup         time per token of plain decoding over this side's, paired by prompt and repetition
/// @param metrics         counts and times of all rounds
/// @param means           mean times of a round
/// @param latency         latencies
/// @param cost            c: one draft step over one target pass of one row
/// @param predictions     what theory expects
/// @param memoryBound     tokens per round / (parameter ratio x draft steps + 1), empty if a parameter count is unknown
public record SideStatistics(
        Contender contender,
        int generations,
        double tokensPerSecond,
        Interval speedup,
        DecodeMetrics metrics,
        RoundMeans means,
        Latency latency,
        double cost,
        Predictions predictions,
        Optional<Double> memoryBound) {

    private static final double NANOS_PER_SECOND = 1e9;

    /// Statistics of every side of a comparison that measured anything, in the order of the contenders.
    public static List<SideStatistics> of(ComparisonResult result) {
        if (result.generations().isEmpty()) {
            return List.of();
        }
        Map<String, List<GenerationRecord>> bySide =
                result.generations().stream()
                        .collect(Collectors.groupingBy(GenerationRecord::side));
        return result.plan().contenders().stream()
                .map(contender ->
                        of(
                                contender,
                                bySide.getOrDefault(contender.name(), List.of()),
                                bySide.getOrDefault(contender.baseline(), List.of()),
                                result.plan().seed()))
                .toList();
    }

    private static SideStatistics of(
            Contender contender,
            List<GenerationRecord> own,
            List<GenerationRecord> plain,
            long seed) {
        DecodeMetrics metrics = metrics(own);
        DecodeMetrics plainMetrics = metrics(plain);
        List<RoundRecord> rounds =
                own.stream().flatMap(record -> record.rounds().stream()).toList();
        return new SideStatistics(
                contender,
                own.size(),
                tokensPerSecond(own),
                Bootstrap.median(ratios(own, plain), seed),
                metrics,
                RoundMeans.of(metrics, rounds),
                Latency.of(own),
                Finite.orZero(metrics.costRatio(plainMetrics.passNanos())),
                Predictions.of(metrics, plainMetrics),
                memoryBound(contender, metrics));
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

    private record Pair(int prompt, int repetition) {
        static Pair of(GenerationRecord record) {
            return new Pair(record.prompt(), record.repetition());
        }
    }

    /// Ratios of time per token, grouped by prompt.
    private static List<List<Double>> ratios(
            List<GenerationRecord> own, List<GenerationRecord> plain) {
        Map<Pair, GenerationRecord> baseline =
                plain.stream().collect(Collectors.toMap(Pair::of, Function.identity()));
        Map<Integer, List<Double>> byPrompt =
                own.stream()
                        .filter(record -> baseline.containsKey(Pair.of(record)))
                        .collect(
                                Collectors.groupingBy(
                                        GenerationRecord::prompt,
                                        TreeMap::new,
                                        Collectors.mapping(
                                                record -> ratio(baseline, record),
                                                Collectors.toList())));
        return List.copyOf(byPrompt.values());
    }

    private static double ratio(Map<Pair, GenerationRecord> baseline, GenerationRecord record) {
        return Optional.ofNullable(baseline.get(Pair.of(record)))
                .map(plain -> plain.nanosPerToken() / record.nanosPerToken())
                .orElseThrow();
    }

    private static Optional<Double> memoryBound(Contender contender, DecodeMetrics metrics) {
        long parameters = contender.decoder().target().description().parameters();
        Optional<Drafter> drafter = contender.decoder().drafter();
        if (parameters <= 0 || drafter.isEmpty()) {
            return Optional.empty();
        }
        double share = (double) drafter.get().parameters() / parameters;
        return Optional.of(metrics.memoryBoundSpeedup(share));
    }
}
