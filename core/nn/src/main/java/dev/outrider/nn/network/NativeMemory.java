package dev.outrider.nn.network;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/// How much memory native allocations may still take. Running out of it ends the process instead of raising an
/// exception, so callers ask first. Thread-safe.
public final class NativeMemory {
    private static final Path LINUX_STATE = Path.of("/proc/meminfo");
    private static final String AVAILABLE = "MemAvailable:";

    private NativeMemory() {}

    /// Bytes this machine, or the container this process lives in, can still hand out; an estimate.
    public static long availableBytes() {
        var system =
                (com.sun.management.OperatingSystemMXBean)
                        ManagementFactory.getOperatingSystemMXBean();
        try {
            if (Files.isReadable(LINUX_STATE)) {
                for (var line : Files.readAllLines(LINUX_STATE)) {
                    if (line.startsWith(AVAILABLE)) {
                        long kibibytes = Long.parseLong(line.replaceAll("[^0-9]", ""));
                        return Math.min(kibibytes * 1024, system.getTotalMemorySize());
                    }
                }
            }
        } catch (IOException e) {
            // Fall back to what the JVM knows.
        }
        return system.getFreeMemorySize();
    }
}
