package dev.outrider.training;

/// The tokenizer as training sees it. Thread-safe.
public interface TextEncoder {
    /// Token ids of a text, without special tokens.
    int[] encode(String text);

    /// Token ids that stand before every text, such as that of its beginning.
    default int[] beginning() {
        return new int[0];
    }

    /// How many token ids there are.
    int vocabularySize();

    /// The id that ends a document.
    int endOfText();
}
