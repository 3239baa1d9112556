package dev.outrider.nn.gguf;

/// A rule of the format that a file breaks, told as the end of a sentence about the file.
final class BrokenGguf extends Exception {
    private static final long serialVersionUID = 1L;

    private final String rule;

    BrokenGguf(String rule) {
        super(rule);
        this.rule = rule;
    }

    /// The end of a sentence about the file.
    String rule() {
        return rule;
    }
}
