package dev.outrider.testkit;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// Memory that the C library has allocated in the whole process: `java.lang.foreign` arenas, direct
/// buffers, tensors, and everything else that uses `malloc`. Known on Linux with glibc 2.33 or
/// newer, if the JVM was started with `--enable-native-access=ALL-UNNAMED`.
///
/// Thread-safe.
final class NativeMemory {
    private static final ValueLayout.OfLong SIZE = ValueLayout.JAVA_LONG;
    private static final int FIELDS = 10;
    private static final int MAPPED = 4;
    private static final int IN_USE = 7;
    private static final Optional<MethodHandle> MALLINFO =
            NativeMemory.class.getModule().isNativeAccessEnabled() ? mallinfo() : Optional.empty();

    private NativeMemory() {}

    /// {@return whether it is known on this system}
    static boolean isKnown() {
        return MALLINFO.isPresent();
    }

    /// {@return bytes in use; 0 if unknown}
    ///
    /// @see "mallinfo2(3): uordblks and hblkhd"
    static long used() {
        if (MALLINFO.isEmpty()) {
            return 0;
        }
        try (var arena = Arena.ofConfined()) {
            var info = (MemorySegment) MALLINFO.get().invokeExact((SegmentAllocator) arena);
            return info.getAtIndex(SIZE, IN_USE) + info.getAtIndex(SIZE, MAPPED);
        } catch (Throwable e) {
            throw new IllegalStateException("mallinfo2 failed", e);
        }
    }

    private static Optional<MethodHandle> mallinfo() {
        var linker = Linker.nativeLinker();
        var type = MemoryLayout.structLayout(MemoryLayout.sequenceLayout(FIELDS, SIZE));
        return linker.defaultLookup()
                .find("mallinfo2")
                .map(address -> linker.downcallHandle(address, FunctionDescriptor.of(type)));
    }
}
