package dev.outrider.nn.vector;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Native memory that is used again and again and grows when more is wanted. Confined to the pass.
final class GrowingMemory {
    private MemorySegment memory = MemorySegment.NULL;

    /// So many bytes; what was there is lost.
    MemorySegment of(long bytes) {
        if (memory.byteSize() < bytes) {
            memory = Panels.allocate(Arena.ofAuto(), bytes);
        }
        return memory;
    }
}
