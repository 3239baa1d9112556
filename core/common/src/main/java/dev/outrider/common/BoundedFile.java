package dev.outrider.common;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Reads a file that somebody else wrote, which may be anything: a pipe that never answers, a device that never ends, a file
/// that grows while it is read. Thread-safe.
public final class BoundedFile {
    /// Most bytes of a text that people write, such as a prompt or what a model learns from.
    public static final int MAX_TEXT_BYTES = 1 << 28;

    private BoundedFile() {}

    /// The file's bytes.
    ///
    /// @param most bytes it may have
    /// @throws IOException whose [FailureReason] says so if it is no regular file, or longer
    public static byte[] bytes(Path file, int most) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw Files.exists(file)
                    ? new FileSystemException(file.toString(), null, "it is not a regular file")
                    : new NoSuchFileException(file.toString());
        }
        try (var stream = Files.newInputStream(file)) {
            return bytes(stream, file.toString(), most);
        }
    }

    /// What is left of a stream.
    ///
    /// @param name what messages call it
    /// @param most bytes it may have
    /// @throws IOException whose [FailureReason] says so if it is longer
    public static byte[] bytes(InputStream stream, String name, int most) throws IOException {
        byte[] bytes = stream.readNBytes(most);
        if (stream.read() >= 0) {
            throw new FileSystemException(name, null, "it has more than %d bytes".formatted(most));
        }
        return bytes;
    }

    /// The file's text.
    ///
    /// @param most bytes it may have
    /// @throws CharacterCodingException if it is not UTF-8
    /// @throws IOException as [#bytes]
    public static String text(Path file, int most) throws IOException {
        return decoded(bytes(file, most));
    }

    /// What is left of a stream, as text.
    ///
    /// @param name what messages call it
    /// @param most bytes it may have
    /// @throws CharacterCodingException if it is not UTF-8
    /// @throws IOException as [#bytes]
    public static String text(InputStream stream, String name, int most) throws IOException {
        return decoded(bytes(stream, name, most));
    }

    private static String decoded(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }
}
