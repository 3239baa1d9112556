package dev.outrider.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// A command that was run, and what came of it.
///
/// @param exitCode how it ended
/// @param out      what it wrote to the standard output
/// @param err      what it wrote to the standard error
record Run(int exitCode, String out, String err) {
    static Run of(String... arguments) {
        return with("", new Interruption(), arguments);
    }

    /// Runs a command with something piped into it.
    static Run with(String input, Interruption interruption, String... arguments) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var console =
                new Console(
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        false,
                        false);
        int code = Application.run(console, interruption, arguments);
        return new Run(
                code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
