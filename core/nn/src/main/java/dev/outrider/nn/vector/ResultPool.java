package dev.outrider.nn.vector;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/// Memory of results that were closed, for those to come. Thread-safe.
final class ResultPool implements AutoCloseable {
    private static final int MOST_KEPT = 16;

    private final Deque<Memory> free = new ArrayDeque<>();
    private boolean closed;

    /// @param arena owner of the memory alone
    record Memory(Arena arena, MemorySegment segment) {}

    /// A result for a pass.
    VectorPassResult take(PassPlan plan, PassOutputs outputs, DecoderConfig config) {
        return new VectorPassResult(this, plan, outputs, config);
    }

    synchronized Memory memory(long bytes) {
        for (var each : free) {
            if (each.segment.byteSize() >= bytes) {
                free.remove(each);
                return each;
            }
        }
        var arena = Arena.ofShared();
        return new Memory(
                arena, Panels.allocate(arena, Math.max(Long.highestOneBit(bytes) * 2, 64)));
    }

    synchronized void release(Memory memory) {
        if (closed || free.size() == MOST_KEPT) {
            memory.arena.close();
        } else {
            free.addFirst(memory);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        free.forEach(each -> each.arena.close());
        free.clear();
    }
}
