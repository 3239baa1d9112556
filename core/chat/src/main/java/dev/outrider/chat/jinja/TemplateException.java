package dev.outrider.chat.jinja;

import java.io.Serial;

/// A template that cannot be parsed or rendered.
public final class TemplateException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    /// Longer messages are cut: they can quote whatever a template makes.
    private static final int LONGEST = 2000;

    private final boolean raised;
    private final boolean located;

    private TemplateException(String message, boolean raised, boolean located) {
        super(message.length() <= LONGEST ? message : message.substring(0, LONGEST) + " …");
        this.raised = raised;
        this.located = located;
    }

    /// A failure whose line is told by whoever knows it.
    public TemplateException(String message) {
        this(message, false, false);
    }

    TemplateException(int line, String message) {
        this("line %d: %s".formatted(line, message), false, true);
    }

    /// What a template says by `raise_exception`.
    static TemplateException raised(String message) {
        return new TemplateException(message, true, false);
    }

    /// This failure with the line where it happened, unless that is known or the template raised it.
    TemplateException at(int line) {
        return raised || located ? this : new TemplateException(line, String.valueOf(getMessage()));
    }

    /// Whether the template itself refused its input, by `raise_exception`.
    public boolean raised() {
        return raised;
    }
}
