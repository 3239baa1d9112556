package dev.outrider.common;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// The reason why a file could not be read or written, in words; exceptions of the file system
/// often have only a path as their message.
public final class FailureReason {
    private FailureReason() {}

    /// Returns the reason.
    public static String of(IOException cause) {
        return switch (cause) {
            case NoSuchFileException _ -> "there is no such file";
            case AccessDeniedException _ -> "permission denied";
            case CharacterCodingException _ -> "it is not UTF-8 text";
            case FileSystemException problem when problem.getReason() != null ->
                    problem.getReason();
            case IOException ours when ours.getClass() == IOException.class -> message(ours);
            default -> cause.toString();
        };
    }

    /// Returns the message of the first cause.
    public static String first(Throwable failure) {
        var first = failure;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return Optional.ofNullable(first.getMessage()).orElseGet(first::toString);
    }

    /// Returns the error for a file that cannot be read.
    public static OutriderException reading(Path file, IOException cause) {
        return ErrorCode.IO_FAILED.error(
                "'%s' cannot be read: %s".formatted(file, of(cause)),
                "Check that the file is there and may be read.",
                cause);
    }

    /// Returns the error for something that cannot be written.
    ///
    /// @param what  what would be there, such as `the checkpoint`
    /// @param place file or folder
    public static OutriderException writing(String what, Path place, IOException cause) {
        return ErrorCode.IO_FAILED.error(
                "%s '%s' cannot be written: %s".formatted(what, place, of(cause)),
                "Choose a folder that can be written to and has room.",
                cause);
    }

    /// A step that reads a file.
    @FunctionalInterface
    public interface Reading<T> {
        /// Returns what was read.
        T read() throws IOException;
    }

    /// Returns what a step reads from a file.
    ///
    /// @throws OutriderException `IO_FAILED`
    public static <T> T reading(Path file, Reading<T> step) {
        try {
            return step.read();
        } catch (IOException e) {
            throw reading(file, e);
        }
    }

    /// A step that writes a file or a folder.
    @FunctionalInterface
    public interface Writing {
        /// Writes it.
        void write() throws IOException;
    }

    /// Does a step that writes.
    ///
    /// @param what  as of the other method
    /// @param place the same
    /// @throws OutriderException `IO_FAILED`
    public static void writing(String what, Path place, Writing step) {
        try {
            step.write();
        } catch (IOException e) {
            throw writing(what, place, e);
        }
    }

    /// A plain [IOException] has the reason in its message.
    private static String message(IOException cause) {
        return Optional.ofNullable(cause.getMessage()).orElseGet(cause::toString);
    }
}
