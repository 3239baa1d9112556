package dev.outrider.demo.corpus.prose;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/// A package file with an unexpected format.
final class Malformed {
    private Malformed() {}

    static FileSystemException file(Path file, String reason) {
        return new FileSystemException(file.toString(), null, reason);
    }
}
