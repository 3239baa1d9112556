package dev.outrider.experiment.run;

import dev.outrider.common.Require;
import java.util.List;
import java.util.Optional;

/// A prompt before it is encoded.
///
/// @param id    names it in results
/// @param kind  kind of task, or `text`
/// @param turns what the user says, at least once where there is no source; several times in a conversation
/// @param source what an encoder-decoder reads before it continues the text; without one, it reads the text
public record PromptText(String id, String kind, List<String> turns, Optional<String> source) {
    /// The kind of a prompt that has none of its own.
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
