package dev.outrider.common;

import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Reads untrusted files, which may be anything: a pipe that never answers, a device that never
/// ends, a file that grows while it is read. Thread-safe.
public final class BoundedFile {
    /// Maximum bytes of a text written by people, such as a prompt or training text.
    public static final int MAX_TEXT_BYTES = 1 << 28;

    private BoundedFile() {}

    /// Returns the file's bytes.
    ///
    /// @param most maximum number of bytes
    /// @throws IOException if it is not a regular file, or is longer; [FailureReason] has the words
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

    /// Returns the rest of a stream.
    ///
    /// @param name name in messages
    /// @param most maximum number of bytes
    /// @throws IOException if it is longer; [FailureReason] has the words
    public static byte[] bytes(InputStream stream, String name, int most) throws IOException {
        byte[] bytes = stream.readNBytes(most);
        if (stream.read() >= 0) {
            throw new FileSystemException(name, null, "it has more than %d bytes".formatted(most));
        }
        return bytes;
    }

    /// Returns the file's text.
    ///
    /// @param most maximum number of bytes
    /// @throws CharacterCodingException if it is not UTF-8
    /// @throws IOException as [#bytes]
    public static String text(Path file, int most) throws IOException {
        return decoded(bytes(file, most));
    }

    /// Returns the rest of a stream as text.
    ///
    /// @param name name in messages
    /// @param most maximum number of bytes
    /// @throws CharacterCodingException if it is not UTF-8
    /// @throws IOException as [#bytes]
    public static String text(InputStream stream, String name, int most) throws IOException {
        return decoded(bytes(stream, name, most));
    }

    /// Returns a text written by people.
    ///
    /// @throws OutriderException `IO_FAILED` if it is not UTF-8 or longer than [#MAX_TEXT_BYTES]
    public static String whole(Path file) {
        return FailureReason.reading(file, () -> text(file, MAX_TEXT_BYTES));
    }

    private static String decoded(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }
}
