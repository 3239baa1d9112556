package dev.outrider.fuzz;

import com.sun.management.ThreadMXBean;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/// The conditions for every input: a result or an error with a code, and limited memory. The caller
/// limits the time.
final class Oracle {
    /// Maximum bytes that the reading thread may allocate.
    static final long MAX_BYTES = 256L << 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Oracle() {}

    /// Reads an input. If that took too much memory it is read again, because the first reading may
    /// have loaded classes.
    ///
    /// @throws IllegalStateException if too much memory was allocated
    /// @throws RuntimeException      an exception that a user should not see
    static void check(Target target, byte[] input, Path folder) throws IOException {
        if (taken(target, input, folder) <= MAX_BYTES) {
            return;
        }
        long taken = taken(target, input, folder);
        if (taken > MAX_BYTES) {
            throw new IllegalStateException(
                    "%s took %d MiB for %d bytes of input, expected at most %d MiB"
                            .formatted(target.id(), taken >> 20, input.length, MAX_BYTES >> 20));
        }
    }

    private static long taken(Target target, byte[] input, Path folder) throws IOException {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            target.read(input, folder);
        } catch (OutriderException coded) {
            if (coded.getMessage() == null || coded.code().name().isEmpty()) {
                throw new IllegalStateException("an error without code or message", coded);
            }
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
