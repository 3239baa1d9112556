package dev.outrider.nn.vector;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;

/// Memory of results that were closed, for those to come. Thread-safe.
final class ResultPool implements AutoCloseable {
    private static final int MAX_KEPT = 16;

    /// An eighth more than is asked for, so that the next may be a little larger.
    private static final int SPARE = 8;

    private static final int MIN = 64;

    private final Deque<Memory> free = new ArrayDeque<>();
    private boolean closed;

    /// @param arena owner of the memory alone
    record Memory(Arena arena, MemorySegment segment) {}

    /// A result for a pass.
    VectorPassResult take(PassPlan plan, PassOutputs outputs, DecoderConfig config) {
        return new VectorPassResult(this, plan, outputs, config);
    }

    synchronized Memory memory(long bytes) {
        var best =
                free.stream()
                        .filter(each -> each.segment.byteSize() >= bytes)
                        .min(Comparator.comparingLong(each -> each.segment.byteSize()));
        best.ifPresent(free::remove);
        return best.orElseGet(() ->
                Panels.owned(arena ->
                        new Memory(arena, Panels.allocate(arena, bytes + bytes / SPARE + MIN))));
    }

    synchronized void release(Memory memory) {
        free.addFirst(memory);
        if (closed || free.size() > MAX_KEPT) {
            var smallest =
                    free.stream().min(Comparator.comparingLong(each -> each.segment.byteSize()));
            var released = closed ? memory : smallest.orElse(memory);
            free.remove(released);
            released.arena.close();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        free.forEach(each -> each.arena.close());
        free.clear();
    }
}
