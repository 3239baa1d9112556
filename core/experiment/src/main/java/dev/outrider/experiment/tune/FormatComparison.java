package dev.outrider.experiment.tune;

import dev.outrider.experiment.run.GenerationRecord.Line;
import dev.outrider.experiment.stats.PromptSpeeds;
import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.stats.Rankings;
import dev.outrider.experiment.table.Value;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The target in another number format beside the format of its file, on the same prompts. The two were not measured in turns, so what the
/// machine did in between is a part of the ratios.
///
/// @param format    name of the number format
/// @param ratios    speeds over plain decoding in the file's format, by variant
/// @param agreement share of the original's tokens before the first difference of greedy ids, of all prompts together
/// @param prompts   that both have
public record FormatComparison(
        String format, List<Ranking.Against> ratios, double agreement, int prompts) {
    private static final String PLAIN = "plain";

    /// Compares generations.
    ///
    /// @param original generations with the target as in its file
    /// @param other    generations in the format
    /// @param seed     of the resampling
    public static FormatComparison of(
            String format, List<Line> original, List<Line> other, long seed) {
        var ids = new HashMap<String, Line>();
        plain(original).forEach(line -> ids.put(line.prompt(), line));
        var numbers = new LinkedHashMap<String, Integer>();
        long tokens = 0;
        long agreed = 0;
        for (var line : plain(other)) {
            var first = ids.get(line.prompt());
            if (first != null) {
                numbers.put(line.prompt(), numbers.size());
                tokens += first.ids().size();
                agreed += common(first.ids(), line.ids());
            }
        }
        var speeds = new PromptSpeeds();
        add(speeds, plain(original), numbers, "");
        add(speeds, other, numbers, " in " + format);
        var names = new LinkedHashSet<>(List.of(PLAIN));
        other.forEach(line -> names.add(line.variant() + " in " + format));
        var baselines = new LinkedHashMap<String, String>();
        names.forEach(name -> baselines.put(name, PLAIN));
        var rankings = Rankings.of(baselines, speeds, 1, Rankings.ALPHA, seed);
        var ratios =
                rankings.entrySet().stream()
                        .filter(each -> !each.getKey().equals(PLAIN))
                        .flatMap(each ->
                                each.getValue().against().stream()
                                        .filter(one -> one.variant().equals(PLAIN))
                                        .map(one ->
                                                new Ranking.Against(each.getKey(), one.ratio())))
                        .toList();
        return new FormatComparison(
                format, ratios, (double) agreed / Math.max(1, tokens), numbers.size());
    }

    private static List<Line> plain(List<Line> lines) {
        return lines.stream().filter(line -> line.variant().equals(PLAIN)).toList();
    }

    private static void add(
            PromptSpeeds speeds, List<Line> lines, Map<String, Integer> numbers, String suffix) {
        for (var line : lines) {
            var number = numbers.get(line.prompt());
            if (number != null) {
                speeds.add(
                        line.variant() + suffix,
                        number,
                        (double) line.tokens() / Math.max(1, line.wallNanos()));
            }
        }
    }

    private static int common(List<Integer> one, List<Integer> other) {
        int common = 0;
        while (common < Math.min(one.size(), other.size())
                && one.get(common).equals(other.get(common))) {
            common++;
        }
        return common;
    }

    /// Returns a line for each variant, and what the format changes.
    ///
    /// @param greedy whether ids are the most probable ones
    public String shown(boolean greedy) {
        if (prompts == 0) {
            return "%s: no prompt was measured in both formats; give more minutes%n"
                    .formatted(format);
        }
        var lines =
                ratios.stream()
                        .map(each ->
                                "%s: %s times plain decoding as in the file%n"
                                        .formatted(
                                                each.variant(),
                                                each.ratio()
                                                        .shown(value -> Value.decimal(value, 2))))
                        .collect(Collectors.joining());
        return "%s%s changes the output: %s (%d prompts)%n"
                .formatted(
                        lines,
                        format,
                        greedy
                                ? "%s %% of the tokens come before the first difference"
                                        .formatted(Value.decimal(100 * agreement, 0))
                                : "how much is known at temperature 0 only",
                        prompts);
    }
}
