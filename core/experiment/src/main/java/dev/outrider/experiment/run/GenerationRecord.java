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
/// @param wallNanos    the whole generation: opening sessions, prefill of target and drafter, every round; of prompts decoded
///                     together, the share of the group's time that its tokens are of the group's
/// @param metrics      its counts and times
/// @param rounds       its rounds in order
/// @param hypotheses   of a beam search, the best first, whose tokens these are; none where nothing was searched for
/// @param readNanos    of the time, what reading the prompt took that the target read once for all variants; 0 where each reads it. A part of
///                     the metrics' prefill too
/// @param beginning    its first rounds, of one generation of each variant; empty of others
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
    /// One line of `generations.jsonl`: what a measured generation took. Comparisons of two results pair these.
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
    /// @param hypotheses of a beam search, the best first; none where nothing was searched for
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
        /// Sum up a generation.
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
