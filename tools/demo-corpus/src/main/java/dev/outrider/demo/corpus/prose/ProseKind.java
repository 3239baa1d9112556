package dev.outrider.demo.corpus.prose;

import java.util.Locale;

/// The kind of a document, which determines how predictable it is.
public enum ProseKind {
    /// A chapter of a novel: dialogue and narration of the nineteenth century.
    NOVEL,
    /// A State of the Union address: formal, often one long paragraph.
    SPEECH,
    /// A chapter of the King James Bible, one verse per line: archaic and repetitive.
    SCRIPTURE;

    /// The lower-case name used in files.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
