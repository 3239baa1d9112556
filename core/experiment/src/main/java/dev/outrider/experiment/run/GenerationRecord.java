package dev.outrider.experiment.run;

import dev.outrider.engine.decode.Generation.Hypothesis;
import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.experiment.run.SampleRecorder.DecidedRound;
import java.util.List;
import java.util.Optional;

/// One measured generation of one variant.
///
/// @param variant         name of the variant
/// @param prompt       index of the prompt
/// @param repetition   from 0
/// @param tokens       emitted ids; not changed
/// @param wallNanos    the whole generation: opening sessions, prefill of target and drafter, every round; for prompts decoded
///                     together, the part of the group's time that equals its part of the group's tokens
/// @param metrics      its counts and times
/// @param rounds       its rounds in order
/// @param hypotheses   of a beam search, the best first; the tokens are those of the best. Empty if there was no search
/// @param readNanos    the part of the time in which the target read the prompt for all variants; 0 if each variant reads it.
///                     Also a part of the metrics' prefill
/// @param beginning    its first rounds, for one generation of each variant; empty for the others
public record GenerationRecord(
        String variant,
        int prompt,
        int repetition,
        List<Integer> tokens,
        long wallNanos,
        DecodeMetrics metrics,
        List<RoundRecord> rounds,
        List<Hypothesis> hypotheses,
        long readNanos,
        List<DecidedRound> beginning) {
    /// One line of `generations.jsonl`: the times of a measured generation. Comparisons of two results pair these.
    ///
    /// @param variant       name of the variant
    /// @param prompt     id of the prompt
    /// @param digest     of the prompt's token ids, those of the source too
    /// @param source     digest of the source's token ids, of an encoder-decoder
    /// @param kind       of task
    /// @param repetition from 0
    /// @param tokens     emitted
    /// @param ids        of these tokens
    /// @param wallNanos  the whole generation, prefill included
    /// @param hypotheses of a beam search, the best first; empty if there was no search
    public record Line(
            String variant,
            String prompt,
            String digest,
            Optional<String> source,
            String kind,
            int repetition,
            int tokens,
            List<Integer> ids,
            long wallNanos,
            List<Hypothesis> hypotheses) {
        /// Sums up a generation.
        public static Line of(Variant variant, Prompt prompt, GenerationRecord record) {
            return new Line(
                    variant.name(),
                    prompt.id(),
                    prompt.digest(),
                    prompt.sourceDigest(),
                    prompt.kind(),
                    record.repetition(),
                    record.tokens().size(),
                    record.tokens(),
                    record.wallNanos(),
                    record.hypotheses());
        }
    }
}
