package dev.outrider.cli;

import dev.outrider.common.PrintableText;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// The streams of commands: results go to `out`, all other messages for the user to `err`.
///
/// @param in       input that is piped into the program
/// @param out      results
/// @param err      progress, warnings, errors
/// @param terminal whether the output is a terminal: progress bars are drawn
/// @param colours  whether colours are wanted
///
/// Escape codes in a file, a model or a plugin's output do not reach a terminal: see [PrintableStream]. Results that go elsewhere
/// are unchanged, to the byte.
public record Console(
        InputStream in, PrintStream out, PrintStream err, boolean terminal, boolean colours) {
    public Console {
        out = terminal ? PrintableStream.over(out) : out;
        err = PrintableStream.over(err);
    }

    /// The process' own streams. Colours are off if `NO_COLOR` is set or the output is not a terminal.
    ///
    /// @see <a href="https://no-color.org">no-color.org</a>
    static Console ofProcess() {
        var console = System.console();
        boolean terminal = console != null && console.isTerminal();
        var noColour = System.getenv("NO_COLOR");
        boolean plain = noColour != null && !noColour.isEmpty();
        return new Console(
                System.in,
                new PrintStream(System.out, true, StandardCharsets.UTF_8),
                new PrintStream(System.err, true, StandardCharsets.UTF_8),
                terminal,
                terminal && !plain && !"dumb".equals(System.getenv("TERM")));
    }

    /// Writes a command's own text. Colours are written as bytes, because streams replace escape codes in text.
    void write(PrintStream stream, String text) {
        if (colours) {
            stream.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        } else {
            stream.print(text);
        }
    }

    /// Returns formatted text with numbers as in English, for every language of the machine.
    static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    /// Prints the printable form of any text. Bytes are written unchanged, for callers with their own escape codes.
    ///
    /// Thread-safe, as its class.
    static final class PrintableStream extends PrintStream {
        private PrintableStream(PrintStream stream) {
            super(stream, true, StandardCharsets.UTF_8);
        }

        /// @param stream in UTF-8
        static PrintableStream over(PrintStream stream) {
            return stream instanceof PrintableStream printable
                    ? printable
                    : new PrintableStream(stream);
        }

        @Override
        public void print(String text) {
            super.print(PrintableText.of(text));
        }

        @Override
        public void print(char[] text) {
            print(String.valueOf(text));
        }

        @Override
        public void print(char character) {
            print(String.valueOf(character));
        }
    }
}
