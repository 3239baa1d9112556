package dev.outrider.cli;

import dev.outrider.common.PrintableText;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.spi.tree.Verdict;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Prints each token with where it came from: in colour, or in brackets where colours are not wanted.
final class TraceDisplay implements DecodeListener {
    private final Console console;
    private final Tokenizer.TokenStream stream;

    TraceDisplay(Console console, Tokenizer tokenizer) {
        this.console = console;
        stream = tokenizer.stream();
        write(
                console.err(),
                "%s an accepted guess, %s a corrected one, %s the token after a draft that was accepted whole%n"
                        .formatted(
                                marked(Mark.ACCEPTED, "text"),
                                marked(Mark.CORRECTED, "text"),
                                marked(Mark.BONUS, "text")));
    }

    /// Where a token came from.
    private enum Mark {
        ACCEPTED("\u001b[32m", "[", "]"),
        CORRECTED("\u001b[33m", "<", ">"),
        BONUS("\u001b[36m", "{", "}");

        private static final String RESET = "\u001b[0m";

        private final String colour;
        private final String opening;
        private final String closing;

        Mark(String colour, String opening, String closing) {
            this.colour = colour;
            this.opening = opening;
            this.closing = closing;
        }
    }

    @Override
    public void onEvent(DecodeEvent event) {
        switch (event) {
            case DecodeEvent.Prefilled _, DecodeEvent.PluginFailed _ -> {}
            case DecodeEvent.RoundCompleted round -> show(round);
            case DecodeEvent.BeamPassCompleted pass -> show(pass);
            case DecodeEvent.Finished _ -> console.out().print(stream.finish());
        }
        console.out().flush();
    }

    private void show(DecodeEvent.RoundCompleted round) {
        var verdict = round.verdict();
        int[] tokens = verdict.emitted(round.draft().tree());
        for (int index = 0; index < round.emitted(); index++) {
            boolean guess = index < verdict.acceptedLength();
            var text = stream.append(tokens[index]);
            write(console.out(), marked(guess ? Mark.ACCEPTED : following(verdict), text));
        }
    }

    /// A search has no tokens until it is over.
    private void show(DecodeEvent.BeamPassCompleted pass) {
        console.err()
                .printf(
                        "pass %d: %d rows, %d guesses, of which %d became beams; %d steps%n",
                        pass.round(), pass.rows(), pass.drafted(), pass.kept(), pass.steps());
    }

    private static Mark following(Verdict verdict) {
        return switch (verdict.origin()) {
            case BONUS -> Mark.BONUS;
            case CORRECTION -> Mark.CORRECTED;
        };
    }

    /// Colours are escape codes, which only bytes keep.
    private void write(PrintStream stream, String text) {
        if (console.colours()) {
            stream.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        } else {
            stream.print(text);
        }
    }

    private String marked(Mark mark, String text) {
        if (text.isEmpty()) {
            return text;
        }
        return console.colours()
                ? mark.colour + PrintableText.of(text) + Mark.RESET
                : mark.opening + text + mark.closing;
    }
}
