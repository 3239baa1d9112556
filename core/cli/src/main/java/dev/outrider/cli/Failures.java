package dev.outrider.cli;

import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Failures that several commands share.
final class Failures {
    private Failures() {}

    static OutriderException cannotWrite(Path file, IOException cause) {
        return new OutriderException(
                ErrorCode.IO_FAILED,
                "cannot write '%s': %s".formatted(file, reason(cause)),
                "Choose a folder that can be written to, or free some space.",
                cause);
    }

    static OutriderException cannotRead(Path file, IOException cause) {
        return new OutriderException(
                ErrorCode.IO_FAILED,
                "cannot read '%s': %s".formatted(file, reason(cause)),
                "Check the path and the file's permissions.",
                cause);
    }

    /// The cause in words; the exceptions of the file system often have nothing but a path for a message.
    private static String reason(IOException cause) {
        return switch (cause) {
            case NoSuchFileException _ -> "there is no such file";
            case AccessDeniedException _ -> "permission denied";
            case CharacterCodingException _ -> "it is not UTF-8 text";
            case FileSystemException problem when problem.getReason() != null ->
                    problem.getReason();
            default -> cause.toString();
        };
    }
}
