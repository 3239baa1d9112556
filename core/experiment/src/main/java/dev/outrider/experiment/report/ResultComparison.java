package dev.outrider.experiment.report;

import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.run.GenerationRecord.Line;
import dev.outrider.experiment.stats.Bootstrap;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.stats.VariantResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Two results, paired: cells by their labels, variants by their names, speedups by prompt.
///
/// @param first       the results to compare with
/// @param second      the results that are compared
/// @param differences every variant that both have
/// @param warnings    reasons to doubt the differences, and what only one of the two has
public record ResultComparison(
        Results first, Results second, List<Difference> differences, List<String> warnings) {
    private static final long SEED = 0;

    /// Pairs two results.
    ///
    /// @throws OutriderException DATA_INVALID if they are the same, or have no variant, prompt or target in common
    public static ResultComparison of(Results first, Results second) {
        Comparability.requireDistinct(first, second);
        var differences = new ArrayList<Difference>();
        var warnings = new LinkedHashSet<String>();
        first.gaps().forEach(gap -> warnings.add("First results: " + gap));
        second.gaps().forEach(gap -> warnings.add("Second results: " + gap));
        for (Cell cell : first.cells()) {
            Optional<Cell> other = partner(cell, first, second);
            if (other.isEmpty()) {
                warnings.add("Only in the first results: %s.".formatted(cell.title()));
                continue;
            }
            Comparability.requireSameTarget(cell, other.get());
            warnings.addAll(Comparability.warnings(cell, other.get()));
            cell(first, cell, other.get(), differences, warnings);
        }
        if (differences.isEmpty()) {
            throw Comparability.refused(
                    "'%s' and '%s' have no variant in common: %s against %s"
                            .formatted(
                                    first.folder(), second.folder(), names(first), names(second)),
                    "Compare results whose configurations call variants by the same names.");
        }
        return new ResultComparison(first, second, differences, List.copyOf(warnings));
    }

    private static Optional<Cell> partner(Cell cell, Results first, Results second) {
        if (!first.several() && !second.several()) {
            return Optional.of(second.cells().getFirst());
        }
        return second.cells().stream().filter(cell::pairsWith).findFirst();
    }

    private static void cell(
            Results results,
            Cell first,
            Cell second,
            List<Difference> differences,
            LinkedHashSet<String> warnings) {
        Map<String, VariantResult> others =
                second.speculative().stream()
                        .collect(
                                Collectors.toMap(
                                        VariantResult::name, Function.identity(), (one, _) -> one));
        for (VariantResult variant : first.speculative()) {
            String label = results.label(first, variant.name());
            Optional<VariantResult> other = Optional.ofNullable(others.remove(variant.name()));
            if (other.isEmpty()) {
                warnings.add("Only in the first results: %s.".formatted(label));
                continue;
            }
            Comparability.requireSameTemperature(label, variant, other.get());
            differences.add(
                    difference(
                            label,
                            variant,
                            other.get(),
                            ratios(first, variant),
                            ratios(second, other.get()),
                            warnings));
        }
        others.keySet().stream()
                .sorted()
                .forEach(name ->
                        warnings.add(
                                "Only in the second results: %s."
                                        .formatted(results.label(second, name))));
    }

    private static Difference difference(
            String label,
            VariantResult first,
            VariantResult second,
            SortedMap<String, List<Double>> one,
            SortedMap<String, List<Double>> other,
            LinkedHashSet<String> warnings) {
        List<String> common = one.keySet().stream().filter(other::containsKey).toList();
        if (common.isEmpty()) {
            throw Comparability.refused(
                    "'%s' was measured on no prompt in both results".formatted(label),
                    "Compare results of the same prompts, measured by a version that writes generations.jsonl.");
        }
        int left = one.size() + other.size() - 2 * common.size();
        if (left > 0) {
            warnings.add(
                    "%s: %d prompts that only one of the two measured are left out."
                            .formatted(label, left));
        }
        var speedup = Bootstrap.difference(values(one, common), values(other, common), SEED);
        return new Difference(label, first, second, common.size(), speedup);
    }

    private static List<List<Double>> values(
            SortedMap<String, List<Double>> ratios, List<String> prompts) {
        return prompts.stream().map(prompt -> ratios.getOrDefault(prompt, List.of())).toList();
    }

    /// Speedups by prompt: time per token of plain decoding over that of the variant in the same repetition.
    private static SortedMap<String, List<Double>> ratios(Cell cell, VariantResult variant) {
        var plain = new TreeMap<String, Line>();
        List<Line> lines = ResultReader.generations(cell.folder());
        for (Line line : lines) {
            if (line.variant().equals(variant.baseline())) {
                plain.put(key(line) + " " + line.repetition(), line);
            }
        }
        var ratios = new TreeMap<String, List<Double>>();
        for (Line line : lines) {
            var partner = Optional.ofNullable(plain.get(key(line) + " " + line.repetition()));
            if (line.variant().equals(variant.name()) && partner.isPresent()) {
                double ratio = perToken(partner.get()) / perToken(line);
                if (Double.isFinite(ratio)) {
                    ratios.computeIfAbsent(key(line), _ -> new ArrayList<>()).add(ratio);
                }
            }
        }
        return Collections.unmodifiableSortedMap(ratios);
    }

    private static String key(Line line) {
        return line.digest() + " " + line.prompt();
    }

    private static double perToken(Line line) {
        return (double) line.wallNanos() / line.tokens();
    }

    private static List<String> names(Results results) {
        return results.entries().stream().map(Results.Entry::label).toList();
    }

    /// One variant in both results.
    ///
    /// @param label   the name in tables
    /// @param first   its numbers in the first results
    /// @param second  and in the second
    /// @param prompts prompts that both measured
    /// @param speedup speedup in the second less that in the first on those prompts, with its 95 % interval
    public record Difference(
            String label,
            VariantResult first,
            VariantResult second,
            int prompts,
            Interval speedup) {
        /// Returns the conclusion from the interval.
        public String verdict() {
            if (prompts < Ranking.MIN_PROMPTS) {
                return "fewer than %d prompts".formatted(Ranking.MIN_PROMPTS);
            }
            if (speedup.least() > 0) {
                return "second faster";
            }
            return speedup.most() < 0 ? "first faster" : "no difference shown";
        }
    }
}
