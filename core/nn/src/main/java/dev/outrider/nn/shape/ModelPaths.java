package dev.outrider.nn.shape;

import dev.outrider.common.FailureReason;
import dev.outrider.common.Sha256;
import dev.outrider.common.ShapedPath;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Optional;

/// Opens checkpoints by their paths. `MODEL@SHAPE` is the checkpoint `MODEL` set into the shape `SHAPE`, see [ShapedCheckpoint].
///
/// A shaped checkpoint is written once, and later runs use it again. It is in the folder that the system property `outrider.shapes`
/// names, or in `outrider/shapes` of the user's cache folder (`XDG_CACHE_HOME`, otherwise `.cache` of the home folder). It may be
/// removed at any time.
public final class ModelPaths {
    /// Changes whenever other files are written for the same weights.
    private static final String VERSION = "6";

    private static final int DIGITS = 16;

    private ModelPaths() {}

    /// Opens a checkpoint, and writes it in the shape that its path names.
    ///
    /// @throws OutriderException as [Checkpoint] and [ShapedCheckpoint#write]
    public static Checkpoint open(Path path) {
        return new Checkpoint(resolved(path));
    }

    /// Returns the folder of a checkpoint: the path itself, or the folder of the shape that it names, which is written if
    /// necessary.
    ///
    /// @throws OutriderException as [#open], if the path names a shape
    public static Path resolved(Path path) {
        var shaped = ShapedPath.of(path);
        return shaped.isPresent() ? resolved(shaped.get(), path) : path;
    }

    private static Path resolved(ShapedPath shaped, Path path) {
        var source = new Checkpoint(shaped.source());
        var shape = shaped.shape();
        ShapedCheckpoint.named(shape);
        try {
            var name = String.valueOf(path.getFileName());
            return written(source, shape, cache().resolve(digest(source)).resolve(name));
        } catch (IOException e) {
            throw ErrorCode.IO_FAILED.error(
                    "'%s' cannot be written in the shape '%s': %s"
                            .formatted(source.path(), shape, FailureReason.of(e)),
                    "Check that '%s' can be written to and has room.".formatted(cache()),
                    e);
        }
    }

    private static Path written(Checkpoint source, String shape, Path folder) throws IOException {
        if (Files.exists(folder)) {
            return folder;
        }
        Files.createDirectories(folder.getParent());
        var temporary = Files.createTempDirectory(folder.getParent(), "writing");
        try {
            ShapedCheckpoint.writeBriefly(source, shape, temporary);
            Files.move(temporary, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.exists(folder)) { // Otherwise another process was faster.
                throw e;
            }
        } finally {
            remove(temporary);
        }
        return folder;
    }

    /// Removes a folder, if it is there.
    private static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /// Returns a digest of the parts of a shaped checkpoint: the weights, and the files that are read or copied.
    private static String digest(Checkpoint source) throws IOException {
        try (var tensors = source.openTensors()) {
            var hash = Sha256.of(tensors.digest());
            for (var name : ShapedCheckpoint.files()) {
                var file = source.optional(name);
                if (file.isPresent()) {
                    hash.add("%s %d ".formatted(name, Files.size(file.get()))).add(file.get());
                }
            }
            return VERSION + "-" + hash.hex().substring(0, DIGITS);
        }
    }

    private static Path cache() {
        var named = System.getProperty("outrider.shapes");
        if (named != null) {
            return Path.of(named);
        }
        return Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .filter(text -> !text.isBlank())
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"))
                .resolve("outrider")
                .resolve("shapes");
    }
}
