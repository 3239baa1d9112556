package dev.outrider.nn.checkpoint;

import java.lang.foreign.MemorySegment;

/// Finds memory that is all zeros. Most of a model that was set into a larger shape is zeros.
public final class Zeros {
    private static final MemorySegment BLOCK =
            MemorySegment.ofArray(new long[1 << 11]).asReadOnly();

    private Zeros() {}

    /// Returns whether every byte is zero. Reads no further than the first block that is not.
    public static boolean in(MemorySegment memory) {
        long size = BLOCK.byteSize();
        for (long at = 0; at < memory.byteSize(); at += size) {
            long end = Math.min(at + size, memory.byteSize());
            if (MemorySegment.mismatch(memory, at, end, BLOCK, 0, end - at) >= 0) {
                return false;
            }
        }
        return true;
    }
}
