package dev.outrider.demo.corpus;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// What a source asks for. Sources begin with their task, as those of T5 do.
public enum PairKind {
    /// A text, and a summary that quotes two of its sentences: the source does not say which, but all that is copied.
    SUMMARY("summarize: "),
    /// Sentences of one made-up language and what they are in another: the source decides every word.
    TRANSLATION("translate Velan to Oric: "),
    /// A table, and some of its columns as JSON: all cells are copied, and which is clear.
    EXTRACTION("extract: ");

    private final String prefix;

    PairKind(String prefix) {
        this.prefix = prefix;
    }

    /// What its sources begin with.
    public String prefix() {
        return prefix;
    }

    /// The lower-case name used in files and on the command line.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The kind of that label, if there is one.
    public static Optional<PairKind> ofLabel(String label) {
        return Stream.of(values()).filter(kind -> kind.label().equals(label)).findFirst();
    }
}
