package dev.outrider.corpus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/// Writes a text file so that a reader sees the old file or the whole new one, never a part.
final class AtomicFiles {
    private AtomicFiles() {}

    static void writeLines(Path file, Stream<String> lines) throws IOException {
        var target = file.toAbsolutePath();
        var folder = target.resolveSibling("").toAbsolutePath();
        Files.createDirectories(folder);
        var partial = Files.createTempFile(folder, target.getFileName() + ".", ".partial");
        try {
            try (var out = Files.newBufferedWriter(partial, StandardCharsets.UTF_8)) {
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
            Files.move(
                    partial,
                    target,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(partial);
        }
    }
}
