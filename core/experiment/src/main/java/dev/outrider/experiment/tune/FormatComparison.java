package dev.outrider.experiment.tune;

import dev.outrider.experiment.run.GenerationRecord.Line;
import dev.outrider.experiment.stats.Bootstrap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;

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
                .forEach(each -> plain.put(key(each), each));
        var ratios = new TreeMap<String, TreeMap<String, List<Double>>>();
        long tokens = 0;
        long agreed = 0;
        for (var line : other) {
            var first = plain.getOrDefault(key(line), line);
            if (first != line) {
                ratios.computeIfAbsent(line.variant(), _ -> new TreeMap<>())
                        .computeIfAbsent(line.prompt(), _ -> new ArrayList<>())
                        .add(perToken(first) / perToken(line));
                tokens += plain(line) ? first.ids().size() : 0;
                agreed += plain(line) ? common(first.ids(), line.ids()) : 0;
            }
        }
        var text = new StringBuilder();
        ratios.forEach((variant, byPrompt) ->
                text.append(
                        "%s in %s: %s times plain decoding as in the file (%d prompts)%n"
                                .formatted(
                                        variant,
                                        format,
                                        Bootstrap.median(List.copyOf(byPrompt.values()), seed)
                                                .shown(Advice::number),
                                        byPrompt.size())));
        var share = "%d %% of the tokens come before the first difference";
        return "%s%s changes the output: %s%n"
                .formatted(
                        text,
                        format,
                        greedy
                                ? share.formatted(100 * agreed / Math.max(1, tokens))
                                : "how much is known at temperature 0 only");
    }

    private static boolean plain(Line line) {
        return line.variant().equals("plain");
    }

    private static String key(Line line) {
        return line.prompt() + " " + line.repetition();
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
