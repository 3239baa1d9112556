package dev.outrider.demo.corpus.prose;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/// A file of a package that is not what it should be.
final class Malformed {
    private Malformed() {}

    static FileSystemException file(Path file, String reason) {
        return new FileSystemException(file.toString(), null, reason);
    }
}
