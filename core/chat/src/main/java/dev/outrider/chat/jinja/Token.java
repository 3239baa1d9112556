package dev.outrider.chat.jinja;

/// A piece of a template's source.
///
/// @param kind what it is
/// @param text text, name, operator, digits, or a string's content
/// @param line where it begins, counted from 1
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
