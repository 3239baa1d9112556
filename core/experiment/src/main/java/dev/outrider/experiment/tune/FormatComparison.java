package dev.outrider.experiment.tune;

import dev.outrider.experiment.run.GenerationRecord.Line;
import dev.outrider.experiment.stats.Bootstrap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The target in another number format beside the format of its file, on the same prompts. The two were not measured in turns, so what the
/// machine did in between is a part of the ratios.
final class FormatComparison {
    private FormatComparison() {}

    /// Returns a line for each variant with its speed over plain decoding in the file's format (median of prompts, 95 % interval), and one
    /// about what the format changes.
    ///
    /// @param original generations with the target as in its file
    /// @param other    generations in the format
    /// @param greedy   whether ids are the most probable ones
    /// @param seed     of the resampling
    static String shown(
            String format, List<Line> original, List<Line> other, boolean greedy, long seed) {
        var plain = new HashMap<String, Line>();
        original.stream()
                .filter(FormatComparison::plain)
                .forEach(line -> plain.put(key(line), line));
        var ratios = new LinkedHashMap<String, Map<String, List<Double>>>();
        long tokens = 0;
        long agreed = 0;
        for (var line : other) {
            var first = plain.get(key(line));
            if (first == null) {
                continue;
            }
            ratios.computeIfAbsent(line.variant(), _ -> new TreeMap<>())
                    .computeIfAbsent(line.prompt(), _ -> new ArrayList<>())
                    .add(perToken(first) / perToken(line));
            if (plain(line)) {
                tokens += first.ids().size();
                agreed += common(first.ids(), line.ids());
            }
        }
        return ratios.entrySet().stream()
                        .map(each -> {
                            var prompts = List.copyOf(each.getValue().values());
                            return "%s in %s: %s times plain decoding as in the file (%d prompts)%n"
                                    .formatted(
                                            each.getKey(),
                                            format,
                                            Bootstrap.median(prompts, seed).shown(Advice::number),
                                            prompts.size());
                        })
                        .collect(Collectors.joining())
                + "%s changes the output: %s%n"
                        .formatted(
                                format,
                                greedy && tokens > 0
                                        ? "%d %% of the tokens come before the first difference"
                                                .formatted(100 * agreed / tokens)
                                        : "how much is known at temperature 0 only");
    }

    private static boolean plain(Line line) {
        return line.variant().equals("plain");
    }

    private static String key(Line line) {
        return line.digest() + " " + line.prompt() + " " + line.repetition();
    }

    private static double perToken(Line line) {
        return (double) line.wallNanos() / line.tokens();
    }

    private static int common(List<Integer> one, List<Integer> other) {
        int common = 0;
        while (common < Math.min(one.size(), other.size())
                && one.get(common).equals(other.get(common))) {
            common++;
        }
        return common;
    }
}
