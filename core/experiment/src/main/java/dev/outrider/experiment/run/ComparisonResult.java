package dev.outrider.experiment.run;

import java.util.List;

/// The measurements of a comparison. Every prompt in it was completed by every variant in each repetition it appears in.
///
/// @param plan        the plan of the run
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

    /// Returns the kinds of the measured prompts, in the order of their first prompts.
    public List<String> kinds() {
        return generations.stream()
                .map(record -> plan.prompts().get(record.prompt()).kind())
                .distinct()
                .toList();
    }

    /// Returns the number of measured prompts.
    public int promptsMeasured() {
        return (int) generations.stream().mapToInt(GenerationRecord::prompt).distinct().count();
    }

    /// Returns the measurements on prompts of one kind.
    public ComparisonResult ofKind(String kind) {
        return new ComparisonResult(
                plan,
                generations.stream()
                        .filter(record -> plan.prompts().get(record.prompt()).kind().equals(kind))
                        .toList(),
                failures,
                mismatches,
                interrupted);
    }

    /// Generations of one variant, in the order they ran.
    public List<GenerationRecord> of(Variant variant) {
        return generations.stream()
                .filter(record -> record.variant().equals(variant.name()))
                .toList();
    }

    /// A prompt that one variant could not continue; it is left out of every variant.
    ///
    /// @param prompt its id
    /// @param variant   the variant that failed first
    /// @param reason the error's message
    public record FailedPrompt(String prompt, String variant, String reason) {}

    /// A greedy generation that differs from plain decoding, or a hypothesis that differs from plain search's.
    ///
    /// @param variant  name of the variant
    /// @param prompt   id of the prompt
    /// @param position first position of the output that differs, from 0
    /// @param expected id that plain decoding emitted there, -1 if it had ended
    /// @param actual   id that the variant emitted there, -1 if it had ended
    /// @param gap      difference of the target's two largest logits there, in nats; a tiny gap means rounding, a large one a
    ///                 defect; of hypotheses, the difference of their scores
    /// @param searched whether hypotheses were compared
    public record Mismatch(
            String variant,
            String prompt,
            int position,
            int expected,
            int actual,
            double gap,
            boolean searched) {
        /// Whether rounding explains it: the gap is small, and a search did not find another number of hypotheses, which has no gap.
        ///
        /// @param largest gap of rounding
        public boolean rounding(double largest) {
            return gap <= largest && (expected >= 0 || actual >= 0);
        }
    }
}
