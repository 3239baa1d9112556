package dev.outrider.cli;

import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.io.IOException;
import java.nio.file.Path;

/// Failures that several commands share.
final class Failures {
    private Failures() {}

    static OutriderException cannotWrite(Path file, IOException cause) {
        return new OutriderException(
                ErrorCode.IO_FAILED,
                "cannot write '%s': %s".formatted(file, cause),
                "Choose a folder that can be written to, or free some space.",
                cause);
    }

    static OutriderException cannotRead(Path file, IOException cause) {
        return new OutriderException(
                ErrorCode.IO_FAILED,
                "cannot read '%s': %s".formatted(file, cause),
                "Check the path and the file's permissions.",
                cause);
    }
}
