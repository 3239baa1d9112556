package dev.outrider.experiment.run;

/// One line of `generations.jsonl`: what a measured generation took. Comparisons of two results pair these.
///
/// @param side       name of the side
/// @param prompt     id of the prompt
/// @param digest     of the prompt's token ids
/// @param kind       of task
/// @param repetition from 0
/// @param tokens     emitted
/// @param wallNanos  the whole generation, prefill included
public record GenerationLine(
        String side,
        String prompt,
        String digest,
        String kind,
        int repetition,
        int tokens,
        long wallNanos) {
    /// Sum up a generation.
    public static GenerationLine of(Side side, Prompt prompt, GenerationRecord record) {
        return new GenerationLine(
                side.name(),
                prompt.id(),
                prompt.digest(),
                prompt.kind(),
                record.repetition(),
                record.tokens().size(),
                record.wallNanos());
    }
}
