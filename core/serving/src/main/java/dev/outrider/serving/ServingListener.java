package dev.outrider.serving;

import dev.outrider.engine.scoring.TokenScore;
import dev.outrider.spi.error.OutriderException;
import java.util.List;
import java.util.Optional;

/// Follows a request. Called on a virtual thread of the request, in order, one call at a time; the loop never waits for it, and what it has not
/// taken yet is kept. It may block. What it throws cancels the request.
public interface ServingListener {
    /// The request left the queue.
    default void onStarted() {}

    /// The prompt was scored. Called once, if that was asked for.
    ///
    /// @param scores one for each token of the prompt; the first is empty, since nothing comes before it
    default void onPromptScores(List<Optional<TokenScore>> scores) {}

    /// A round is over. [#onText] with its text comes after it.
    default void onRound(ServedRound round) {}

    /// Text became certain: no stop string can take it back.
    ///
    /// @param text what follows the text of the calls before
    default void onText(String text) {}

    /// The request ended, with what was written. Nothing follows.
    default void onFinished(Completion completion) {}

    /// The request failed. Nothing follows. The code is `INTERNAL`, which is none of the documented ones, for an error in Outrider.
    default void onFailed(OutriderException failure) {}

    /// {@return whether [ServedRound#nodes] are wanted}
    default boolean wantsDrafts() {
        return false;
    }

    /// {@return a listener that does nothing}
    static ServingListener none() {
        return new ServingListener() {};
    }
}
