package dev.outrider.training;

/// The tokenizer as training of encoder-decoders sees it. Thread-safe.
public interface PairEncoder {
    /// Token ids of a source, with the special tokens that the tokenizer puts around a text.
    int[] source(String text);

    /// Token ids of an answer, the end among them.
    int[] answer(String text);

    /// How many token ids there are.
    int vocabularySize();

    /// The id that ends an answer.
    int end();

    /// The id that fills rows up, and that a decoder starts from; no text has it.
    int pad();
}
