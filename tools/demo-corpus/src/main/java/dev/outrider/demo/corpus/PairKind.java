package dev.outrider.demo.corpus;

import java.util.Locale;

/// The task of a source. Sources begin with their task, as T5's do.
public enum PairKind {
    /// A text, and a summary that quotes two of its sentences. The source does not name the
    /// sentences, but the whole summary is copied.
    SUMMARY("summarize: "),
    /// Sentences of one artificial language and their translation: the source determines every
    /// word.
    TRANSLATION("translate Velan to Oric: "),
    /// A table, and some of its columns as JSON. All cells are copied, and the source names them.
    EXTRACTION("extract: ");

    private final String prefix;

    PairKind(String prefix) {
        this.prefix = prefix;
    }

    /// Returns the beginning of its sources.
    public String prefix() {
        return prefix;
    }

    /// Returns the lower-case name used in files.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
