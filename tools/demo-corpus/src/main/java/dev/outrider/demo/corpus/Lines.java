package dev.outrider.demo.corpus;

import dev.outrider.common.AtomicFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Text files of many lines, written whole or not at all.
public final class Lines {
    private Lines() {}

    /// Write the lines, each ended by a line feed; parent folders are made.
    ///
    /// @throws IOException if the file cannot be written; an older file of that name is then still whole
    public static void write(Path file, Stream<String> lines) throws IOException {
        AtomicFile.write(
                file,
                temporary -> {
                    try (var out = Files.newBufferedWriter(temporary, StandardCharsets.UTF_8)) {
                        lines.forEachOrdered(line -> {
                            try {
                                out.write(line);
                                out.write('\n');
                            } catch (IOException failure) {
                                throw new UncheckedIOException(failure);
                            }
                        });
                    } catch (UncheckedIOException failure) {
                        throw failure.getCause();
                    }
                });
    }
}
