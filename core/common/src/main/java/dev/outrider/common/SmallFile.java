package dev.outrider.common;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Reads whole files that come with something downloaded: regular files of a bounded size, so that neither a pipe nor
/// an endless file holds the reader up.
public final class SmallFile {
    private SmallFile() {}

    /// The bytes of a file.
    ///
    /// @param most the largest size that makes sense
    /// @throws IOException if it is no regular file, longer, or cannot be read
    public static byte[] read(Path path, int most) throws IOException {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw new IOException("it is not a regular file");
        }
        try (var in = Files.newInputStream(path)) {
            var bytes = in.readNBytes(most);
            if (in.read() >= 0) {
                throw new IOException("it is longer than %d bytes".formatted(most));
            }
            return bytes;
        }
    }

    /// The text of a file.
    ///
    /// @param most the largest size in bytes that makes sense
    /// @throws IOException if it is no regular file, longer, not UTF-8, or cannot be read
    public static String readText(Path path, int most) throws IOException {
        var bytes = ByteBuffer.wrap(read(path, most));
        return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    }
}
