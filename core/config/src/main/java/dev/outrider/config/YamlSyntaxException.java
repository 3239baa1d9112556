package dev.outrider.config;

import java.io.Serial;

/// A text that is not YAML, or uses a part of YAML that configuration refuses. Callers turn it into the error a user sees.
final class YamlSyntaxException extends Exception {
    @Serial private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;

    YamlSyntaxException(String message, int line, int column) {
        super(message);
        this.line = line;
        this.column = column;
    }

    /// Line of the problem, from 1.
    int line() {
        return line;
    }

    /// Column of the problem, from 1.
    int column() {
        return column;
    }

    /// What is wrong; never absent, unlike [#getMessage()] of an exception in general.
    String problem() {
        return String.valueOf(getMessage());
    }
}
