package dev.outrider.cli;

import dev.outrider.common.PrintableText;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Prints what a terminal may show of any text. Bytes are written as they are: for whoever makes escape codes of his own.
///
/// Thread-safe, as its class.
final class PrintableStream extends PrintStream {
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
