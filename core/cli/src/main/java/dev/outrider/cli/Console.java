package dev.outrider.cli;

import dev.outrider.common.PrintableText;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// The streams of commands: results go to `out`, everything else that a person should know to `err`.
///
/// @param in       what is piped into the program
/// @param out      results
/// @param err      progress, warnings, errors
/// @param terminal whether a person watches: progress bars are drawn
/// @param colours  whether escape codes are wanted
///
/// Nothing that a file, a model or a plugin holds can give orders to a terminal: see [PrintableStream]. Results that go
/// elsewhere stay as they are, to the byte.
public record Console(
        InputStream in, PrintStream out, PrintStream err, boolean terminal, boolean colours) {
    public Console {
        out = terminal ? PrintableStream.over(out) : out;
        err = PrintableStream.over(err);
    }

    /// The process' own streams. Colours are off when `NO_COLOR` is set or the output is no terminal.
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

    /// Writes text of a command's own. Colours are bytes, because streams replace escape codes in text.
    void write(PrintStream stream, String text) {
        if (colours) {
            stream.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        } else {
            stream.print(text);
        }
    }

    /// Returns formatted text with numbers as in English, whatever the language of the machine.
    static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    /// Prints what a terminal may show of any text. Bytes are written as they are, for callers that make escape codes themselves.
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
