package dev.outrider.serving;

import dev.outrider.engine.scoring.TokenScore;
import dev.outrider.spi.error.OutriderException;
import java.util.List;
import java.util.Optional;

/// Follows a request. Called on a virtual thread of the request, in order, one call at a time; the loop never waits for it, and
/// calls that wait are queued. It may block. An exception cancels the request.
public interface ServingListener {
    /// The request left the queue.
    default void onStarted() {}

    /// The prompt was scored. Called once, if that was requested.
    ///
    /// @param scores one for each token of the prompt; the first is empty, because it has no context
    default void onPromptScores(List<Optional<TokenScore>> scores) {}

    /// A round is over. [#onText] with its text comes after it.
    default void onRound(ServedRound round) {}

    /// Text is final: no stop string can remove it any more.
    ///
    /// @param text the text after that of the calls before
    default void onText(String text) {}

    /// The request ended, with its text. No call follows.
    default void onFinished(Completion completion) {}

    /// The request failed. No call follows. For an error in Outrider, the code is `INTERNAL`, which is not documented.
    default void onFailed(OutriderException failure) {}

    /// {@return whether [ServedRound#nodes] are wanted}
    default boolean wantsDrafts() {
        return false;
    }
}
