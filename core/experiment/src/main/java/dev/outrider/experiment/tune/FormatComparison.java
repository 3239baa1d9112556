package dev.outrider.experiment.tune;

import dev.outrider.experiment.run.GenerationRecord.Line;
import dev.outrider.experiment.stats.Bootstrap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/// Compares the target in another number format with the target in the format of its file, on the prompts that both have. The two
/// were not measured in turns, so changes of the machine between them are a part of the ratios.
final class FormatComparison {
    private FormatComparison() {}

    /// Returns a line for each variant with the median of its speeds over those of plain decoding in the file's format on the same prompt,
    /// and one line about the changes in the output; empty if no prompt was measured in both.
    ///
    /// @param original generations with the target as in its file
    /// @param other    generations in the format
    /// @param greedy   whether ids are the most probable ones
    static String shown(String format, List<Line> original, List<Line> other, boolean greedy) {
        var plain = new HashMap<String, Line>();
        original.stream()
                .filter(FormatComparison::plain)
                .forEach(each -> plain.put(key(each), each));
        var both = other.stream().filter(each -> plain.containsKey(key(each))).toList();
        var text = new StringBuilder();
        var ratios = new TreeMap<String, List<Double>>();
        for (var each : both) {
            double ratio = speed(each) / speed(plain.getOrDefault(key(each), each));
            ratios.computeIfAbsent(each.variant(), _ -> new ArrayList<>()).add(ratio);
        }
        ratios.forEach((variant, own) ->
                text.append(
                        "%s in %s: %s times plain decoding as in the file%n"
                                .formatted(variant, format, Advice.number(median(own)))));
        var pairs = both.stream().filter(FormatComparison::plain).toList();
        long agreed = sum(pairs, each -> common(each, plain.getOrDefault(key(each), each)));
        return greedy && !pairs.isEmpty()
                ? "%s%s changes the output: %d %% of the tokens come before the first difference%n"
                        .formatted(
                                text, format, 100 * agreed / Math.max(1, sum(pairs, Line::tokens)))
                : text.toString();
    }

    private static boolean plain(Line line) {
        return line.variant().equals("plain");
    }

    private static String key(Line line) {
        return line.prompt() + " " + line.repetition();
    }

    private static double speed(Line line) {
        return (double) line.tokens() / line.wallNanos();
    }

    private static double median(List<Double> ratios) {
        return Bootstrap.median(ratios.stream().mapToDouble(each -> each).toArray());
    }

    private static long sum(List<Line> lines, ToLongFunction<Line> number) {
        return lines.stream().mapToLong(number).sum();
    }

    private static long common(Line one, Line other) {
        return IntStream.range(0, Math.min(one.ids().size(), other.ids().size()))
                .takeWhile(index -> one.ids().get(index).equals(other.ids().get(index)))
                .count();
    }
}
