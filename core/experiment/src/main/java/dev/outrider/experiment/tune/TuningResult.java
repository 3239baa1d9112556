package dev.outrider.experiment.tune;

import dev.outrider.experiment.results.Report;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Everything that the comparisons found.
///
/// @param stages  finished comparisons, in order; at least one
/// @param prices  expected speedups of chains of every length and of drafters without a length, after the first comparison
public record TuningResult(List<Measured> stages, Map<Candidate, Double> prices) {
    /// A finished comparison.
    ///
    /// @param stage  that was asked for
    /// @param report what it found
    public record Measured(TuneStage stage, Report report) {}

    /// Returns the comparison that decides: the last one, unless it was interrupted before it had as many prompts as the one before.
    public Measured decisive() {
        var last = stages.getLast();
        if (!last.report().coverage().interrupted() || stages.size() == 1) {
            return last;
        }
        var before = stages.get(stages.size() - 2);
        return last.report().coverage().prompts() < before.report().coverage().prompts()
                ? before
                : last;
    }

    /// Whether the variants of the comparison that decides were chosen on its own prompts.
    public boolean selected() {
        var last = decisive();
        return !last.equals(stages.getFirst())
                && last.stage().file().equals(stages.getFirst().stage().file());
    }

    /// Returns a line for each drafter with its expected speedups by length.
    public String lengths() {
        return prices.entrySet().stream()
                .filter(each -> each.getKey().length() > 0)
                .collect(
                        Collectors.groupingBy(
                                each -> each.getKey().family(),
                                TreeMap::new,
                                Collectors.mapping(
                                        each ->
                                                "%d: %s"
                                                        .formatted(
                                                                each.getKey().length(),
                                                                Advice.number(each.getValue())),
                                        Collectors.joining(", "))))
                .entrySet()
                .stream()
                .map(each -> "%s: %s%n".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining());
    }
}
