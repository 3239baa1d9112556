package dev.outrider.common;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/// Why a file could not be read or written, in words; the exceptions of the file system often have nothing but a path for a
/// message.
public final class FailureReason {
    private FailureReason() {}

    /// The reason.
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

    /// A bare [IOException] says in its message all that it knows.
    private static String message(IOException cause) {
        return Optional.ofNullable(cause.getMessage()).orElseGet(cause::toString);
    }
}
