package dev.outrider.common;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// A lock file that one process at a time holds. The system releases it when the process ends,
/// however it ends.
///
/// The file stays after the release: deleting it could delete the file of the next holder.
public final class ProcessLock implements AutoCloseable {
    private final FileChannel channel;

    private ProcessLock(FileChannel channel) {
        this.channel = channel;
    }

    /// Takes the lock, unless another process, or another part of this one, holds it. Creates
    /// missing folders.
    ///
    /// @param file created if missing; its content has no meaning
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
            // Held by this process; treated like any other.
        }
        channel.close();
        return Optional.empty();
    }

    /// Releases the lock. Idempotent.
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
