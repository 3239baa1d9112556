package dev.outrider.nn.vector;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// Native memory that is used again and again and grows when more is wanted. Confined to the pass.
final class GrowingMemory {
    private static final int ALIGNMENT = 64;

    private MemorySegment memory = MemorySegment.NULL;

    /// So many bytes; what was there is lost.
    MemorySegment of(long bytes) {
        if (memory.byteSize() < bytes) {
            memory = allocate(Arena.ofAuto(), bytes);
        }
        return memory;
    }

    /// Memory of zeros that begins where a vector of any width may begin.
    static MemorySegment allocate(Arena arena, long bytes) {
        return bytes < HugePages.SIZE
                ? arena.allocate(bytes, ALIGNMENT)
                : HugePages.FOUND
                        .flatMap(pages -> pages.allocate(arena, bytes))
                        .orElseGet(() -> arena.allocate(bytes, ALIGNMENT));
    }

    /// Linux's calls for memory in large pages: reading streams of weights from small ones takes a fifth of a pass.
    ///
    /// @param map    `mmap`
    /// @param advise `madvise`
    /// @param unmap  `munmap`
    private record HugePages(MethodHandle map, MethodHandle advise, MethodHandle unmap) {
        /// Bytes of a page.
        static final long SIZE = 2 << 20;

        static final Optional<HugePages> FOUND = find();

        private static final int READ_AND_WRITE = 3;
        private static final int PRIVATE_AND_ANONYMOUS = 0x22;
        private static final int HUGE = 14;

        private static Optional<HugePages> find() {
            return System.getProperty("os.name").equals("Linux")
                            && GrowingMemory.class.getModule().isNativeAccessEnabled()
                    ? Optional.of(
                            new HugePages(
                                    call(
                                            "mmap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT,
                                            JAVA_INT, JAVA_INT, JAVA_LONG),
                                    call("madvise", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT),
                                    call("munmap", JAVA_INT, JAVA_LONG, JAVA_LONG)))
                    : Optional.empty();
        }

        private static MethodHandle call(
                String name, MemoryLayout result, MemoryLayout... arguments) {
            var linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow(name),
                    FunctionDescriptor.of(result, arguments));
        }

        /// Whole pages; empty where there is no room, which the arena's own memory reports.
        Optional<MemorySegment> allocate(Arena arena, long bytes) {
            long size = Math.ceilDiv(bytes, SIZE) * SIZE;
            try {
                long address =
                        (long)
                                map.invokeExact(
                                        0L, size, READ_AND_WRITE, PRIVATE_AND_ANONYMOUS, -1, 0L);
                if (address == -1) {
                    return Optional.empty();
                }
                int ignored = (int) advise.invokeExact(address, size, HUGE);
                return Optional.of(
                        MemorySegment.ofAddress(address)
                                .reinterpret(bytes, arena, memory -> release(memory, size)));
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        private void release(MemorySegment memory, long size) {
            try {
                int ignored = (int) unmap.invokeExact(memory.address(), size);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
