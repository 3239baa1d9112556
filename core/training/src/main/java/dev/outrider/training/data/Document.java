package dev.outrider.training.data;

/// A text to train on.
///
/// @param text      never empty
/// @param divisible whether what does not fit into a row goes on in the next; otherwise it is left out
public record Document(String text, boolean divisible) {
    public Document {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("a document has no text");
        }
    }
}
