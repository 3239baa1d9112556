package dev.outrider.nn.gguf;

/// A violated rule of the format; the message is the end of a sentence about the file.
final class BrokenGguf extends Exception {
    private static final long serialVersionUID = 1L;

    private final String rule;

    BrokenGguf(String rule) {
        super(rule);
        this.rule = rule;
    }

    /// Returns the end of a sentence about the file.
    String rule() {
        return rule;
    }
}
