package dev.outrider.common;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// A file that one process at a time holds. The system takes it from a process that ends, however it ends.
///
/// The file stays when the lock is given back: a process that removed it could remove the one that its successor holds.
public final class ProcessLock implements AutoCloseable {
    private final FileChannel channel;

    private ProcessLock(FileChannel channel) {
        this.channel = channel;
    }

    /// Take the lock, unless another process, or another part of this one, holds it. Makes missing folders.
    ///
    /// @param file made if it is missing; its content means nothing
    public static Optional<ProcessLock> tryTake(Path file) throws IOException {
        var folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return Optional.of(new ProcessLock(channel));
            }
        } catch (OverlappingFileLockException e) {
            // Held by this very process: no different from any other.
        }
        channel.close();
        return Optional.empty();
    }

    /// Gives the lock back. Idempotent.
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
