package dev.outrider.training.data;

import dev.outrider.common.FailureReason;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The errors of files that cannot be trained on.
final class DataFailures {
    private DataFailures() {}

    /// Returns the error for a byte of a file; the message names its line.
    static OutriderException at(Path file, long offset, String problem) {
        return ErrorCode.DATA_INVALID.error(
                "'%s', line %s: %s".formatted(file, line(file, offset), problem),
                "Correct the line or remove it, or leave the file out of 'data.sources'.");
    }

    /// Returns the error for a row of a Parquet file.
    ///
    /// @param row counts from 1
    static OutriderException row(Path file, long row, String problem) {
        return ErrorCode.DATA_INVALID.error(
                "'%s', row %d: %s".formatted(file, row, problem),
                "Write the file again without the row, or leave it out of 'data.sources'.");
    }

    /// Returns the error for a file as a whole.
    static OutriderException file(Path file, String problem) {
        return ErrorCode.DATA_INVALID.error(
                "'%s': %s".formatted(file, problem),
                "Leave the file out of 'data.sources', or name its columns as records have them.");
    }

    /// Returns the error for a file that is not Parquet, is broken, or has an unsupported form.
    static OutriderException notParquet(Path file, Exception cause) {
        Throwable first = cause;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return ErrorCode.DATA_INVALID.error(
                "'%s' cannot be read as Parquet: %s".formatted(file, reason(first)),
                "Write the file again, uncompressed or with Snappy, zstd or gzip, or leave it out of 'data.sources'.",
                cause);
    }

    private static String reason(Throwable cause) {
        var message = Optional.ofNullable(cause.getMessage()).orElse("");
        return message.isBlank() ? cause.getClass().getSimpleName() : message;
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
            throw FailureReason.reading(file, e);
        }
    }
}
