package dev.outrider.demo.corpus;

import dev.outrider.common.AtomicFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Text files of many lines, written completely or not at all.
public final class Lines {
    private Lines() {}

    /// Writes the lines, each with a line feed at its end; parent folders are created.
    ///
    /// @throws IOException if the file cannot be written; an older file of that name is then
    ///     unchanged
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
