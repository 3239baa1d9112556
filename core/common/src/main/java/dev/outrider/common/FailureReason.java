package dev.outrider.common;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
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

    /// A plain [IOException] has the reason in its message.
    private static String message(IOException cause) {
        return Optional.ofNullable(cause.getMessage()).orElseGet(cause::toString);
    }
}
