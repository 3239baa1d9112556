package dev.outrider.drafter.smallmodel;

/// How the tokens of the draft model become tokens of the target.
public enum VocabularyMode {
    /// Both have the same tokenizer.
    SAME,
    /// Guesses are the tokens whose text both vocabularies have.
    SHARED,
    /// Guesses are text, which the target's tokenizer cuts into tokens.
    TEXT
}
