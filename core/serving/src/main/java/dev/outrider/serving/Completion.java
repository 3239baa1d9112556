package dev.outrider.serving;

import dev.outrider.engine.scoring.TokenScore;
import java.util.List;
import java.util.Optional;

/// The result of a request that did not fail.
///
/// @param tokens       emitted ids, an end-of-sequence token included
/// @param text         their text after the prompt's, cut before a stop string
/// @param reason       reason of its end
/// @param usage        resources that it used
/// @param promptScores as [ServingListener#onPromptScores]; empty if none were requested
public record Completion(
        List<Integer> tokens,
        String text,
        Completion.Reason reason,
        Completion.Usage usage,
        List<Optional<TokenScore>> promptScores) {
    /// Copies the lists.
    public Completion {
        tokens = List.copyOf(tokens);
        promptScores = List.copyOf(promptScores);
    }

    /// The reason why a request ended.
    public enum Reason {
        /// A token that ends sequences was emitted.
        END_OF_SEQUENCE,
        /// A stop string was written.
        STOP_STRING,
        /// The requested number of tokens was emitted.
        MAX_TOKENS,
        /// The prompt was scored, and no token was requested.
        SCORED,
        /// [Ticket#cancel] was called.
        CANCELLED,
        /// Its deadline was over.
        DEADLINE,
        /// The engine was closed.
        CLOSED
    }

    /// The resources that a request used.
    ///
    /// @param promptTokens    length of the prompt
    /// @param sharedTokens    tokens of the prompt that an earlier prompt had read
    /// @param emittedTokens   tokens emitted
    /// @param rounds          passes of the target after the prompt
    /// @param draftedTokens   nodes of its drafts
    /// @param acceptedTokens  guesses that became part of the text
    /// @param queuedNanos     time in the queue
    /// @param firstTokenNanos time from submission to the first token; 0 if there is none
    /// @param totalNanos      time from submission to the end
    public record Usage(
            int promptTokens,
            int sharedTokens,
            int emittedTokens,
            int rounds,
            long draftedTokens,
            long acceptedTokens,
            long queuedNanos,
            long firstTokenNanos,
            long totalNanos) {}
}
