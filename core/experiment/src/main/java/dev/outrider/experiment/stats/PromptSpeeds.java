package dev.outrider.experiment.stats;

import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.Variant;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The speed of every variant on every prompt: the mean over repetitions of the logarithm of its speed. Confined to one thread.
public final class PromptSpeeds {
    private final Map<String, SortedMap<Integer, DoubleSummaryStatistics>> logs = new HashMap<>();

    /// The speeds of a comparison; prompts decoded together are one row.
    static PromptSpeeds of(ComparisonResult result) {
        var speeds = new PromptSpeeds();
        for (Variant variant : result.plan().variants()) {
            PairedRun.work(result.of(variant), result.plan().batch())
                    .forEach((turn, work) ->
                            speeds.add(variant.name(), turn.group(), 1 / work.perToken()));
        }
        return speeds;
    }

    /// Adds the speed of one variant on one prompt in one repetition.
    ///
    /// @param speed in any unit that all variants share
    public void add(String variant, int prompt, double speed) {
        logs.computeIfAbsent(variant, _ -> new TreeMap<>())
                .computeIfAbsent(prompt, _ -> new DoubleSummaryStatistics())
                .accept(Math.log(speed));
    }

    /// Returns a row for each prompt that all of some variants have, and a column for each variant.
    public double[][] rows(List<String> variants) {
        var all =
                variants.stream()
                        .map(variant -> logs.getOrDefault(variant, new TreeMap<>()))
                        .toList();
        return all.getFirst().keySet().stream()
                .filter(prompt -> all.stream().allMatch(each -> each.containsKey(prompt)))
                .map(prompt ->
                        all.stream()
                                .map(each -> Objects.requireNonNull(each.get(prompt)))
                                .mapToDouble(DoubleSummaryStatistics::getAverage)
                                .toArray())
                .toArray(double[][]::new);
    }

    /// Prompts decoded together, in one repetition.
    record PairedRun(int group, int repetition) {
        /// Returns the work of a variant in each of its turns.
        ///
        /// @param batch prompts decoded together
        static Map<PairedRun, Work> work(List<GenerationRecord> generations, int batch) {
            return generations.stream()
                    .collect(
                            Collectors.toMap(
                                    record ->
                                            new PairedRun(
                                                    record.prompt() / batch, record.repetition()),
                                    record -> new Work(record.wallNanos(), record.tokens().size()),
                                    Work::plus,
                                    LinkedHashMap::new));
        }

        /// Time and tokens of a turn.
        record Work(long nanos, long tokens) {
            Work plus(Work other) {
                return new Work(nanos + other.nanos, tokens + other.tokens);
            }

            double perToken() {
                return (double) nanos / tokens;
            }
        }
    }
}
