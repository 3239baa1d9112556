package dev.outrider.common;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// A path `MODEL@SHAPE`, which means the model `MODEL` in another shape.
///
/// @param source path of the model
/// @param shape  name of the shape
public record ShapedPath(Path source, String shape) {
    /// Reads a path. A path that exists means the file or folder there, even if its name looks like a shape.
    public static Optional<ShapedPath> of(Path path) {
        var name = String.valueOf(path.getFileName());
        int at = name.lastIndexOf('@');
        return at < 1 || Files.exists(path)
                ? Optional.empty()
                : Optional.of(
                        new ShapedPath(
                                path.resolveSibling(name.substring(0, at)),
                                name.substring(at + 1)));
    }

    /// Returns the sentence that stands beside every number of such a model.
    public String label() {
        return "The text is that of %s, at the costs of %s.".formatted(source.getFileName(), shape);
    }
}
