package dev.outrider.experiment.run;

import dev.outrider.common.Require;
import java.util.List;
import java.util.Optional;

/// A prompt before it is encoded.
///
/// @param id    its name in results
/// @param kind  kind of task, or `text`
/// @param turns the user's turns; at least one if there is no source, several in a conversation
/// @param source the text that an encoder-decoder reads before it continues the prompt; without a source, it reads the prompt
public record PromptText(String id, String kind, List<String> turns, Optional<String> source) {
    /// The kind of a prompt without a kind.
    static final String TEXT = "text";

    public PromptText {
        turns = List.copyOf(turns);
        Require.that(!turns.isEmpty() || !source.isEmpty(), "prompt '%s' has no text", id);
    }

    /// A prompt of one turn, without a source.
    public PromptText(String id, String kind, String text) {
        this(id, kind, List.of(text), Optional.empty());
    }

    /// Returns the first turn; empty if there is only a source.
    String first() {
        return turns.isEmpty() ? "" : turns.getFirst();
    }
}
