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

/// How fast every side was on every prompt: the mean over repetitions of the logarithm of its speed. Confined to one thread.
public final class PromptSpeeds {
    private final Map<String, SortedMap<Integer, DoubleSummaryStatistics>> logs = new HashMap<>();

    /// The speeds of a comparison; prompts decoded together are one row.
    static PromptSpeeds of(ComparisonResult result) {
        var speeds = new PromptSpeeds();
        for (Variant side : result.plan().sides()) {
            PairedRun.work(result.of(side), result.plan().batch())
                    .forEach((turn, work) ->
                            speeds.add(side.name(), turn.group(), 1 / work.perToken()));
        }
        return speeds;
    }

    /// Add the speed of one side on one prompt in one repetition.
    ///
    /// @param speed in any unit that all sides share
    public void add(String side, int prompt, double speed) {
        logs.computeIfAbsent(side, _ -> new TreeMap<>())
                .computeIfAbsent(prompt, _ -> new DoubleSummaryStatistics())
                .accept(Math.log(speed));
    }

    /// A row for each prompt that all of some sides have, a column for each side.
    public double[][] rows(List<String> sides) {
        var means = sides.stream().map(side -> means(Optional.ofNullable(logs.get(side)))).toList();
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
