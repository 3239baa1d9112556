package dev.outrider.serving;

import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// A request for a text, or for the scores of one. Immutable.
///
/// @param variant     its variant: one of the engine's, or one made for this request around the same target
/// @param prompt      the prompt
/// @param sampling    choice of tokens
/// @param ending      end of the text
/// @param scores      the target's scores to report
/// @param draftLength greatest depth of a draft; empty for the variant's own plan
/// @param deadline    time from [ServingEngine#submit] after which it ends with the text so far
/// @param client      its client: clients take turns in the queue
public record ServingRequest(
        ServedVariant variant,
        EncodedPrompt prompt,
        Sampling sampling,
        Ending ending,
        Scores scores,
        OptionalInt draftLength,
        Optional<Duration> deadline,
        String client) {
    /// Most candidates of a token that are reported.
    public static final int MAX_CANDIDATES = 100;

    /// Checks that it asks for tokens or scores.
    public ServingRequest {
        if (ending.maxTokens() == 0 && scores.prompt().isEmpty()) {
            throw new IllegalArgumentException(
                    "maxTokens is 0, and no scores of the prompt are asked for");
        }
        if (draftLength.isPresent() && draftLength.getAsInt() < 0) {
            throw new IllegalArgumentException(
                    "draftLength %d is negative".formatted(draftLength.getAsInt()));
        }
        if (deadline.isPresent() && !deadline.get().isPositive()) {
            throw new IllegalArgumentException(
                    "deadline %s is not positive".formatted(deadline.get()));
        }
    }

    /// The choice of tokens.
    ///
    /// @param policy     makes a distribution of logits
    /// @param processors applied to the target's logits after the variant's own, in this order; part of the target's distribution
    /// @param seed       of its random streams
    /// @param sequence   number of the text among those of the same seed: `n` samples of one prompt are 0 to n - 1
    public record Sampling(
            SamplingPolicy policy,
            List<ProcessorChain.Named> processors,
            long seed,
            long sequence) {
        /// Copies the processors.
        public Sampling {
            processors = List.copyOf(processors);
        }
    }

    /// The end of a text.
    ///
    /// @param maxTokens           most tokens to emit; 0 scores the prompt alone
    /// @param stop                texts that end it; they are not part of its text
    /// @param ignoreEndOfSequence whether to continue after an end-of-sequence token
    public record Ending(int maxTokens, List<String> stop, boolean ignoreEndOfSequence) {
        /// Copies the stop strings and checks the number.
        public Ending {
            stop = List.copyOf(stop);
            if (maxTokens < 0) {
                throw new IllegalArgumentException("maxTokens %d is negative".formatted(maxTokens));
            }
            if (stop.contains("")) {
                throw new IllegalArgumentException("a stop string must not be empty");
            }
        }
    }

    /// The target's scores to report, before any processor and at temperature 1.
    ///
    /// @param emitted number of best candidates beside each emitted token's log probability; empty reports none
    /// @param prompt  the same for the prompt's tokens
    public record Scores(OptionalInt emitted, OptionalInt prompt) {
        /// Checks the numbers.
        public Scores {
            for (var each : List.of(emitted, prompt)) {
                if (each.isPresent() && (each.getAsInt() < 0 || each.getAsInt() > MAX_CANDIDATES)) {
                    throw new IllegalArgumentException(
                            "%d candidates, expected 0 to %d"
                                    .formatted(each.getAsInt(), MAX_CANDIDATES));
                }
            }
        }
    }
}
