package dev.outrider.experiment.tune;

import dev.outrider.experiment.results.Report;
import java.util.List;
import java.util.Map;

/// Everything that the comparisons found.
///
/// @param stages  finished comparisons, in order, the one that decides last; at least one
/// @param prices  expected speedups of chains of every length and of drafters without a length, after the first comparison
public record TuningResult(List<Measured> stages, Map<Candidate, Double> prices) {
    /// A finished comparison.
    ///
    /// @param stage  that was asked for
    /// @param report what it found
    public record Measured(TuneStage stage, Report report) {}

    /// Whether the variants of the comparison that decides were chosen on its own prompts.
    public boolean selected() {
        var last = stages.getLast().stage();
        return stages.size() > 1 && last.file().equals(stages.getFirst().stage().file());
    }
}
