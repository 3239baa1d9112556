package dev.outrider.common;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// Writes a file so that a reader sees the old content or the complete new one, even after a failure in
/// between. Thread-safe.
public final class AtomicFile {
    private AtomicFile() {}

    /// Writes the new content to a temporary file beside the real one.
    @FunctionalInterface
    public interface Content {
        /// @param temporary an empty file that replaces the real one after this returns
        void writeTo(Path temporary) throws IOException;
    }

    /// Replaces a file's content; creates missing folders.
    public static void write(Path file, Content content) throws IOException {
        var target = file.toAbsolutePath();
        var folder = target.getParent();
        if (folder == null) {
            throw new IOException("'%s' is not a file name".formatted(file));
        }
        Files.createDirectories(folder);
        var temporary =
                folder.resolve(
                        "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".part");
        try {
            Files.deleteIfExists(temporary);
            Files.createFile(temporary);
            content.writeTo(temporary);
            try (var channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(
                    temporary,
                    target,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /// Replaces a file's content by UTF-8 text.
    public static void write(Path file, String text) throws IOException {
        write(file, temporary -> Files.writeString(temporary, text));
    }
}
