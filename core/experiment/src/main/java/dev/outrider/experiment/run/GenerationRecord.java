package dev.outrider.experiment.run;

import dev.outrider.engine.decode.Hypothesis;
import dev.outrider.engine.metrics.DecodeMetrics;
import java.util.List;

/// One measured generation of one side.
///
/// @param side         name of the side
/// @param prompt       index of the prompt
/// @param repetition   from 0
/// @param tokens       emitted ids; not changed
/// @param wallNanos    the whole generation: opening sessions, prefill of target and drafter, every round; of prompts decoded
///                     together, the share of the group's time that its tokens are of the group's; what the drafter then learned from it
///                     included
/// @param metrics      its counts and times
/// @param rounds       its rounds in order
/// @param hypotheses   of a beam search, the best first, whose tokens these are; none where nothing was searched for
/// @param learnNanos   of the time, what the drafter learned in
public record GenerationRecord(
        String side,
        int prompt,
        int repetition,
        List<Integer> tokens,
        long wallNanos,
        DecodeMetrics metrics,
        List<RoundRecord> rounds,
        List<Hypothesis> hypotheses,
        long learnNanos) {
    public GenerationRecord {
        tokens = List.copyOf(tokens);
        rounds = List.copyOf(rounds);
        hypotheses = List.copyOf(hypotheses);
    }

    /// A generation that nothing learned from.
    public GenerationRecord(
            String side,
            int prompt,
            int repetition,
            List<Integer> tokens,
            long wallNanos,
            DecodeMetrics metrics,
            List<RoundRecord> rounds,
            List<Hypothesis> hypotheses) {
        this(side, prompt, repetition, tokens, wallNanos, metrics, rounds, hypotheses, 0);
    }

    /// Nanoseconds for each emitted token, prefill included.
    public double nanosPerToken() {
        return (double) wallNanos / tokens.size();
    }
}
