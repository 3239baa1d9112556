package dev.outrider.experiment.run;

import java.util.List;

/// What a comparison measured. Every prompt in it was completed by every side in each repetition it appears in.
///
/// @param plan        what was run
/// @param generations measured generations, prompts that failed left out
/// @param failures    prompts left out
/// @param mismatches  greedy generations that differ from plain decoding
/// @param interrupted whether it was cancelled before the end
public record ComparisonResult(
        ComparisonPlan plan,
        List<GenerationRecord> generations,
        List<FailedPrompt> failures,
        List<Mismatch> mismatches,
        boolean interrupted) {
    public ComparisonResult {
        generations = List.copyOf(generations);
        failures = List.copyOf(failures);
        mismatches = List.copyOf(mismatches);
    }

    /// Generations of one side, in the order they ran.
    public List<GenerationRecord> of(Contender contender) {
        return generations.stream()
                .filter(record -> record.side().equals(contender.name()))
                .toList();
    }
}
