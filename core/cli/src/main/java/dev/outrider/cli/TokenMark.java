package dev.outrider.cli;

import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.spi.tree.Verdict;
import java.util.function.BiConsumer;

/// The origin of a token of speculative decoding, and its display: in a colour, or between marks without colours.
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
    private static TokenMark of(Verdict verdict, int index) {
        if (index < verdict.acceptedLength()) {
            return ACCEPTED;
        }
        return switch (verdict.origin()) {
            case BONUS -> BONUS;
            case CORRECTION -> CORRECTED;
        };
    }

    /// Calls a consumer for each token of a round with its origin and its text.
    static void each(
            RoundCompleted round,
            Tokenizer.TokenStream stream,
            BiConsumer<TokenMark, String> shown) {
        var verdict = round.verdict();
        int[] tokens = verdict.emitted(round.draft().tree());
        for (int index = 0; index < round.emitted(); index++) {
            shown.accept(of(verdict, index), stream.append(tokens[index]));
        }
    }

    String colour() {
        return colour;
    }

    /// Returns a text between the marks.
    String bracketed(String text) {
        return opening + text + closing;
    }
}
