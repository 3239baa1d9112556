package dev.outrider.experiment.run;

import java.util.List;

/// A prompt before it is encoded.
///
/// @param id    names it in results
/// @param kind  kind of task, or `text`
/// @param turns what the user says, at least once; several times in a conversation
public record PromptText(String id, String kind, List<String> turns) {
    public PromptText {
        turns = List.copyOf(turns);
        if (turns.isEmpty()) {
            throw new IllegalArgumentException("prompt '%s' has no text".formatted(id));
        }
    }

    /// A prompt of one turn.
    public PromptText(String id, String kind, String text) {
        this(id, kind, List.of(text));
    }
}
