package dev.outrider.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// A stream whose content can be read back.
final class RecordingStream extends PrintStream {
    private final ByteArrayOutputStream bytes;

    RecordingStream() {
        this(new ByteArrayOutputStream());
    }

    private RecordingStream(ByteArrayOutputStream bytes) {
        super(bytes, true, StandardCharsets.UTF_8);
        this.bytes = bytes;
    }

    @Override
    public String toString() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
