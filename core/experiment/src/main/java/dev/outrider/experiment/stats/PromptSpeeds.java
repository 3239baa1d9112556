package dev.outrider.experiment.stats;

import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.Variant;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

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

    /// Add the speed of one variant on one prompt in one repetition.
    ///
    /// @param speed in any unit that all variants share
    public void add(String variant, int prompt, double speed) {
        logs.computeIfAbsent(variant, _ -> new TreeMap<>())
                .computeIfAbsent(prompt, _ -> new DoubleSummaryStatistics())
                .accept(Math.log(speed));
    }

    /// A row for each prompt that all of some variants have, a column for each variant.
    public double[][] rows(List<String> variants) {
        var means =
                variants.stream()
                        .map(variant -> means(Optional.ofNullable(logs.get(variant))))
                        .toList();
        return means.getFirst().keySet().stream()
                .filter(prompt -> means.stream().allMatch(each -> each.containsKey(prompt)))
                .map(prompt ->
                        means.stream()
                                .mapToDouble(each -> each.getOrDefault(prompt, Double.NaN))
                                .toArray())
                .toArray(double[][]::new);
    }

    private static SortedMap<Integer, Double> means(
            Optional<SortedMap<Integer, DoubleSummaryStatistics>> values) {
        var means = new TreeMap<Integer, Double>();
        values.ifPresent(
                all -> all.forEach((prompt, each) -> means.put(prompt, each.getAverage())));
        return means;
    }
}
