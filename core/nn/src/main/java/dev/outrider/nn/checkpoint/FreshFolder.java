package dev.outrider.nn.checkpoint;

import dev.outrider.common.FailureReason;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A folder for a new checkpoint: it does not exist, or is empty.
public final class FreshFolder {
    private FreshFolder() {}

    /// Refuses a folder that has files.
    ///
    /// @throws OutriderException `CONFIG_INVALID`; `IO_FAILED` if it cannot be listed
    public static void require(Path path) {
        if (!Files.exists(path)) {
            return;
        }
        try (var files = Files.list(path)) {
            if (files.findAny().isPresent()) {
                throw ErrorCode.CONFIG_INVALID.error(
                        "'%s' is there already and not empty; expected a new or an empty folder"
                                .formatted(path),
                        "Choose another folder with --out, or remove its files.");
            }
        } catch (IOException e) {
            throw FailureReason.writing("the checkpoint", path, e);
        }
    }
}
