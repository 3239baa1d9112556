package dev.outrider.chat.jinja;

import java.io.Serial;

/// A template that cannot be parsed or rendered.
public final class TemplateException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    /// Longer messages are cut, because they may quote a text of any length.
    private static final int LONGEST = 2000;

    private final boolean raised;
    private final boolean located;

    private TemplateException(String message, boolean raised, boolean located) {
        super(message.length() <= LONGEST ? message : message.substring(0, LONGEST) + " …");
        this.raised = raised;
        this.located = located;
    }

    /// Creates a failure without a line; the caller adds it by [#at].
    public TemplateException(String message) {
        this(message, false, false);
    }

    TemplateException(int line, String message) {
        this("line %d: %s".formatted(line, message), false, true);
    }

    /// Returns the failure of a template that called `raise_exception`.
    static TemplateException raised(String message) {
        return new TemplateException(message, true, false);
    }

    /// Returns this failure with its line, unless it has one or the template raised it.
    TemplateException at(int line) {
        return raised || located ? this : new TemplateException(line, String.valueOf(getMessage()));
    }

    /// Returns whether the template refused its input by `raise_exception`.
    public boolean raised() {
        return raised;
    }
}
