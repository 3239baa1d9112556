package dev.outrider.cli;

import dev.outrider.spi.tree.Verdict;

/// The origin of a token of speculative decoding, and how it is shown: in a colour, or between marks where colours are not wanted.
enum TokenMark {
    ACCEPTED("\u001b[32m", "[", "]"),
    CORRECTED("\u001b[33m", "<", ">"),
    BONUS("\u001b[36m", "{", "}");

    /// Ends a colour.
    static final String RESET = "\u001b[0m";

    private final String colour;
    private final String opening;
    private final String closing;

    TokenMark(String colour, String opening, String closing) {
        this.colour = colour;
        this.opening = opening;
        this.closing = closing;
    }

    /// Returns the origin of one of the tokens that a verdict emits.
    static TokenMark of(Verdict verdict, int index) {
        if (index < verdict.acceptedLength()) {
            return ACCEPTED;
        }
        return switch (verdict.origin()) {
            case BONUS -> BONUS;
            case CORRECTION -> CORRECTED;
        };
    }

    String colour() {
        return colour;
    }

    /// Returns a text between the marks.
    String bracketed(String text) {
        return opening + text + closing;
    }
}
