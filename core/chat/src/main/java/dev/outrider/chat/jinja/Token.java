package dev.outrider.chat.jinja;

/// A token of a template's source.
///
/// @param kind its kind
/// @param text text, name, operator, digits, or a string's content
/// @param line line of its beginning, counted from 1
record Token(Kind kind, String text, int line) {
    enum Kind {
        /// Text between tags.
        TEXT,
        /// `{{`
        OUTPUT_BEGIN,
        /// `}}`
        OUTPUT_END,
        /// `{%`
        BLOCK_BEGIN,
        /// `%}`
        BLOCK_END,
        NAME,
        STRING,
        INTEGER,
        REAL,
        OPERATOR,
        /// The end of the source.
        END
    }

    boolean is(Kind wanted, String wantedText) {
        return kind == wanted && text.equals(wantedText);
    }
}
