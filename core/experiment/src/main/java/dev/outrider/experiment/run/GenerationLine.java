package dev.outrider.experiment.run;

import dev.outrider.engine.decode.Hypothesis;
import java.util.List;
import java.util.Optional;

/// One line of `generations.jsonl`: what a measured generation took. Comparisons of two results pair these.
///
/// @param side       name of the side
/// @param prompt     id of the prompt
/// @param digest     of the prompt's token ids, those of the source too
/// @param source     digest of the source's token ids, of an encoder-decoder
/// @param kind       of task
/// @param repetition from 0
/// @param tokens     emitted
/// @param wallNanos  the whole generation, prefill included
/// @param hypotheses of a beam search, the best first; none where nothing was searched for
public record GenerationLine(
        String side,
        String prompt,
        String digest,
        Optional<String> source,
        String kind,
        int repetition,
        int tokens,
        long wallNanos,
        List<Hypothesis> hypotheses) {
    public GenerationLine {
        hypotheses = List.copyOf(hypotheses);
    }

    /// Sum up a generation.
    public static GenerationLine of(Side side, Prompt prompt, GenerationRecord record) {
        return new GenerationLine(
                side.name(),
                prompt.id(),
                prompt.digest(),
                prompt.sourceDigest(),
                prompt.kind(),
                record.repetition(),
                record.tokens().size(),
                record.wallNanos(),
                record.hypotheses());
    }
}
