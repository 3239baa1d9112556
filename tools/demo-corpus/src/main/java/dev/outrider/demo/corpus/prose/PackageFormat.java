package dev.outrider.demo.corpus.prose;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/// What the files of packages must be like.
final class PackageFormat {
    private PackageFormat() {}

    /// @throws FileSystemException with the reason, if a package file has an unexpected format
    static void expect(boolean condition, Path file, String reason) throws FileSystemException {
        if (!condition) {
            throw new FileSystemException(file.toString(), null, reason);
        }
    }
}
