package dev.outrider.chat.jinja;

import java.util.List;

/// Iterates over tokens and limits the nesting depth of the parser.
final class TokenCursor {
    private static final int DEEPEST = 100;

    private final List<Token> tokens;
    private int position;
    private int depth;

    TokenCursor(List<Token> tokens) {
        this.tokens = tokens;
    }

    Token peek() {
        return tokens.get(position);
    }

    Token next() {
        var token = peek();
        if (token.kind() != Token.Kind.END) {
            position++;
        }
        return token;
    }

    int line() {
        return peek().line();
    }

    boolean at(Token.Kind kind) {
        return peek().kind() == kind;
    }

    /// Returns whether the next token is this operator or name.
    boolean at(String text) {
        return peek().is(text);
    }

    /// Returns whether the token after the next one is this operator or name.
    boolean follows(String text) {
        return position + 1 < tokens.size() && tokens.get(position + 1).is(text);
    }

    boolean skip(String text) {
        boolean found = at(text);
        if (found) {
            position++;
        }
        return found;
    }

    void expect(String text) {
        if (!skip(text)) {
            throw unexpected("'%s'".formatted(text));
        }
    }

    Token expect(Token.Kind kind, String description) {
        if (!at(kind)) {
            throw unexpected(description);
        }
        return next();
    }

    String name() {
        return expect(Token.Kind.NAME, "a name").text();
    }

    TemplateException unexpected(String expected) {
        var token = peek();
        var found =
                switch (token.kind()) {
                    case TEXT -> "text";
                    case OUTPUT_BEGIN -> "'{{'";
                    case OUTPUT_END -> "'}}'";
                    case BLOCK_BEGIN -> "'{%'";
                    case BLOCK_END -> "'%}'";
                    case NAME, INTEGER, REAL, OPERATOR -> "'%s'".formatted(token.text());
                    case STRING -> "a string";
                    case END -> "the end of the template";
                };
        return new TemplateException(
                token.line(), "%s where %s is expected".formatted(found, expected));
    }

    void enter() {
        depth++;
        if (depth > DEEPEST) {
            throw new TemplateException(line(), "nested more than %d deep".formatted(DEEPEST));
        }
    }

    void leave() {
        depth--;
    }

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

        boolean is(String wanted) {
            return (kind == Kind.OPERATOR || kind == Kind.NAME) && text.equals(wanted);
        }
    }
}
