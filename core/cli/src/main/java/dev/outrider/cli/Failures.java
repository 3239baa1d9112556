package dev.outrider.cli;

import dev.outrider.common.FailureReason;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Path;

/// Failures that several commands share.
final class Failures {
    private Failures() {}

    static OutriderException cannotWrite(Path file, IOException cause) {
        return new OutriderException(
                ErrorCode.IO_FAILED,
                "cannot write '%s': %s".formatted(file, FailureReason.of(cause)),
                "Choose a folder that can be written to, or free some space.",
                cause);
    }

    /// A failure to read or write that does not say which file it was about.
    static OutriderException of(String task, IOException cause) {
        return new OutriderException(
                ErrorCode.IO_FAILED,
                "'%s' cannot read or write a file: %s".formatted(task, cause),
                "Check the paths of the configuration, and that there is space.",
                cause);
    }

    static OutriderException cannotRead(Path file, IOException cause) {
        return new OutriderException(
                ErrorCode.IO_FAILED,
                "cannot read '%s': %s".formatted(file, FailureReason.of(cause)),
                "Check the path and the file's permissions.",
                cause);
    }
}
