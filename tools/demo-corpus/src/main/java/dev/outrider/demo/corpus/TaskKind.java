package dev.outrider.demo.corpus;

import java.util.Locale;

/// The task of a document. The kinds differ in how predictable their text is, which changes
/// acceptance.
public enum TaskKind {
    /// A short story with a plot whose objects and places stay consistent. Open text: hard to draft.
    STORY,
    /// A passage, a question about its state, and an answer with its reason.
    QUESTION,
    /// Sums with their working, digit by digit or as a word problem. Short-range logic.
    ARITHMETIC,
    /// A table rewritten as JSON. Rigid form, copied values.
    EXTRACTION,
    /// A small Python-like function with an example of its use.
    CODE,
    /// A summary that quotes its source. Copies much: suits n-gram drafters.
    SUMMARY;

    /// Returns the lower-case name used in files and on the command line.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
