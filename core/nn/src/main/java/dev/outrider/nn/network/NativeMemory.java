package dev.outrider.nn.network;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/// The memory that native allocations may still use. If it is used up, the process ends without an exception, so callers ask first.
/// Thread-safe.
public final class NativeMemory {
    private static final Path LINUX_STATE = Path.of("/proc/meminfo");
    private static final String AVAILABLE = "MemAvailable:";

    private NativeMemory() {}

    /// Returns an estimate of the bytes that this machine, or the container of this process, can still allocate.
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
            // Uses what the JVM knows instead.
        }
        return system.getFreeMemorySize();
    }
}
