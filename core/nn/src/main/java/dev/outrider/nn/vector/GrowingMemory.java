package dev.outrider.nn.vector;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Native memory that is reused and grows when more is needed. Confined to the pass.
final class GrowingMemory {
    private static final int ALIGNMENT = 64;

    private MemorySegment memory = MemorySegment.NULL;

    /// Returns memory of at least the given size; its earlier content is lost.
    MemorySegment of(long bytes) {
        if (memory.byteSize() < bytes) {
            memory = allocate(Arena.ofAuto(), bytes);
        }
        return memory;
    }

    /// Allocates memory with the alignment of a vector of any width.
    static MemorySegment allocate(Arena arena, long bytes) {
        return arena.allocate(bytes, ALIGNMENT);
    }
}
