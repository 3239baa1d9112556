package dev.outrider.training.data;

import dev.outrider.common.FailureReason;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What is said of files that cannot be trained on.
final class DataFailures {
    private DataFailures() {}

    /// Something is wrong at a byte of a file; the message names its line.
    static OutriderException at(Path file, long offset, String problem) {
        return new OutriderException(
                ErrorCode.DATA_INVALID,
                "'%s', line %s: %s".formatted(file, line(file, offset), problem),
                "Correct the line or remove it, or leave the file out of 'data.sources'.");
    }

    static OutriderException unreadable(Path file, IOException cause) {
        return new OutriderException(
                ErrorCode.IO_FAILED,
                "cannot read '%s': %s".formatted(file, FailureReason.of(cause)),
                "Check 'data.sources' and that the file may be read.",
                cause);
    }

    private static String line(Path file, long offset) {
        try (var stream = Files.newInputStream(file)) {
            var buffer = new byte[1 << 16];
            long line = 1;
            long left = offset;
            while (left > 0) {
                int read = stream.read(buffer, 0, (int) Math.min(left, buffer.length));
                if (read < 0) {
                    break;
                }
                for (int i = 0; i < read; i++) {
                    if (buffer[i] == '\n') {
                        line++;
                    }
                }
                left -= read;
            }
            return Long.toString(line);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }
}
