package dev.outrider.demo.corpus;

import dev.outrider.common.AtomicFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Text files of many lines, written whole or not at all.
final class Lines {
    private Lines() {}

    static void write(Path file, Stream<String> lines) throws IOException {
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
