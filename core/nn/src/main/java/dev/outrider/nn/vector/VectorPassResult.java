package dev.outrider.nn.vector;

import dev.outrider.common.Require;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassPlan;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.PassRow;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// The outputs of a pass in native memory, which returns to a pool.
final class VectorPassResult implements PassResult {
    private final ResultPool pool;
    private final int[] logitRow;
    private final int logitRows;
    private final int vocabulary;
    private final int hiddenSize;
    private final List<HiddenState> states;
    private Optional<ResultPool.Memory> memory;
    private OptionalDouble active = OptionalDouble.empty();

    VectorPassResult(ResultPool pool, PassPlan plan, PassOutputs outputs, DecoderConfig config) {
        this.pool = pool;
        logitRow = plan.logitRow();
        int withLogits = 0;
        for (int row : logitRow) {
            withLogits += row < 0 ? 0 : 1;
        }
        logitRows = withLogits;
        vocabulary = config.fusion().map(each -> each.headSize()).orElseGet(config::vocabularySize);
        hiddenSize = config.hiddenSize();
        states = List.copyOf(outputs.hiddenStates());
        long numbers =
                (long) logitRows * vocabulary + (long) states.size() * logitRow.length * hiddenSize;
        memory = Optional.of(pool.memory(numbers * Float.BYTES));
    }

    int logitRows() {
        return logitRows;
    }

    /// Copies a state's rows if the state is requested.
    void keep(HiddenState which, Rows x, int rows) {
        if (!states.contains(which)) {
            return;
        }
        var segment = memory.orElseThrow().segment();
        for (int row = 0; row < rows; row++) {
            MemorySegment.copy(
                    x.numbers(),
                    x.at(row),
                    segment,
                    ValueLayout.JAVA_FLOAT,
                    place(which, row),
                    hiddenSize);
        }
    }

    /// Copies the requested states of a row that are from earlier layers than a given one.
    void keepBelow(int layer, PassRow from, int row) {
        for (var which : states) {
            if (which instanceof HiddenState.AfterLayer(int layers) && layers < layer) {
                memory.orElseThrow()
                        .segment()
                        .asSlice(place(which, row), (long) hiddenSize * Float.BYTES)
                        .copyFrom(from.pass().hidden(which, from.row()));
            }
        }
    }

    void keepLogits(Rows logits) {
        var segment = memory.orElseThrow().segment();
        for (int row = 0; row < logitRows; row++) {
            MemorySegment.copy(
                    logits.numbers(),
                    logits.at(row),
                    segment,
                    ValueLayout.JAVA_FLOAT,
                    (long) row * vocabulary * Float.BYTES,
                    vocabulary);
        }
    }

    void keepActiveExperts(double experts) {
        active = OptionalDouble.of(experts);
    }

    @Override
    public OptionalDouble activeExperts() {
        return active;
    }

    @Override
    public int rows() {
        return logitRow.length;
    }

    @Override
    public MemorySegment logits(int row) {
        Require.that(logitRow[row] >= 0, "row %d has no logits", row);
        long bytes = (long) vocabulary * Float.BYTES;
        return open().asSlice(logitRow[row] * bytes, bytes);
    }

    @Override
    public MemorySegment hidden(HiddenState which, int row) {
        if (!states.contains(which)) {
            throw new IllegalArgumentException(which + " was not asked for");
        }
        if (row < 0 || row >= logitRow.length) {
            throw new IndexOutOfBoundsException("row %d of %d".formatted(row, logitRow.length));
        }
        return open().asSlice(place(which, row), (long) hiddenSize * Float.BYTES);
    }

    @Override
    public void close() {
        memory.ifPresent(pool::release);
        memory = Optional.empty();
    }

    private MemorySegment open() {
        return memory.orElseThrow(() -> new IllegalStateException("the result is closed"))
                .segment();
    }

    private long place(HiddenState which, int row) {
        long states = (long) this.states.indexOf(which) * logitRow.length + row;
        return ((long) logitRows * vocabulary + states * hiddenSize) * Float.BYTES;
    }

    /// Memory of closed results, which new results reuse. Thread-safe.
    static final class ResultPool implements AutoCloseable {
        private static final int MAX_KEPT = 16;

        /// Memory is an eighth larger than needed, so that a slightly larger result fits too.
        private static final int SPARE = 8;

        private static final int MIN = 64;

        private final Deque<Memory> free = new ArrayDeque<>();
        private boolean closed;

        /// @param arena owner of this memory only
        record Memory(Arena arena, MemorySegment segment) {}

        /// Returns a result for a pass.
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
                            new Memory(
                                    arena,
                                    GrowingMemory.allocate(arena, bytes + bytes / SPARE + MIN))));
        }

        synchronized void release(Memory memory) {
            free.addFirst(memory);
            if (closed || free.size() > MAX_KEPT) {
                var smallest =
                        free.stream()
                                .min(Comparator.comparingLong(each -> each.segment.byteSize()));
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
}
