package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.PassPlan;
import dev.outrider.nn.network.PassResult;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// What a pass left. States are copied from the device at once; logits when they are asked for, row by row, or all that
/// are left when another pass is about to overwrite them.
final class CopiedResult implements PassResult {
    /// Copies logits from the device.
    @FunctionalInterface
    interface LogitReader {
        /// @param first counts the rows of the run that got logits
        /// @param to    `[rows, V]`
        void read(int first, int rows, MemorySegment to);
    }

    /// Rows whose logits are on the device.
    private record OnDevice(int first, int count) {}

    private final Arena arena = Arena.ofConfined();
    private final LogitRows source;
    private final int[] logitRow;
    private final long rowBytes;
    private final int vocabularySize;
    private final Map<Integer, MemorySegment> logits = new LinkedHashMap<>();
    private final Map<HiddenState, MemorySegment> hidden = new LinkedHashMap<>();
    private OnDevice onDevice = new OnDevice(0, 0);
    private volatile boolean closed;

    /// Where rows of logits are had from, one at a time.
    @FunctionalInterface
    interface LogitRows {
        /// The logits of a row, under the lock that passes run under.
        MemorySegment fetch(CopiedResult result, int row);
    }

    /// Memory for the results of a pass.
    CopiedResult(
            PassPlan plan,
            Set<HiddenState> states,
            int vocabularySize,
            int hiddenSize,
            LogitRows source) {
        this.source = source;
        this.vocabularySize = vocabularySize;
        logitRow = plan.logitRow();
        rowBytes = (long) hiddenSize * Float.BYTES;
        for (var state : states) {
            hidden.put(
                    state,
                    arena.allocate(ValueLayout.JAVA_FLOAT, (long) logitRow.length * hiddenSize));
        }
    }

    /// Notes that rows of logits are on the device from now on.
    ///
    /// @param first counts the rows of the pass that get logits
    void leave(int first, int count) {
        onDevice = new OnDevice(first, count);
    }

    /// Copies what is still on the device, unless nobody can ask for it. May be called by another thread than the one
    /// that reads.
    void takeAll(LogitReader reader) {
        if (onDevice.count() > 0 && !closed) {
            var memory =
                    Arena.ofAuto()
                            .allocate(
                                    ValueLayout.JAVA_FLOAT,
                                    (long) onDevice.count() * vocabularySize);
            reader.read(0, onDevice.count(), memory);
            for (int row = 0; row < onDevice.count(); row++) {
                logits.putIfAbsent(
                        onDevice.first() + row, memory.asSlice(row * logitBytes(), logitBytes()));
            }
        }
        onDevice = new OnDevice(0, 0);
    }

    /// The logits of a row, copied if they are still on the device.
    MemorySegment take(int row, LogitReader reader) {
        return logits.computeIfAbsent(
                row,
                _ -> {
                    var memory = arena.allocate(ValueLayout.JAVA_FLOAT, vocabularySize);
                    reader.read(row - onDevice.first(), 1, memory);
                    return memory;
                });
    }

    /// Memory of some rows' states, per state.
    Map<HiddenState, MemorySegment> stateRows(int first, int count) {
        var slices = new LinkedHashMap<HiddenState, MemorySegment>();
        hidden.forEach((state, memory) ->
                slices.put(state, memory.asSlice(first * rowBytes, count * rowBytes)));
        return slices;
    }

    @Override
    public int rows() {
        return logitRow.length;
    }

    @Override
    public MemorySegment logits(int row) {
        if (logitRow[row] < 0) {
            throw new IllegalArgumentException(
                    "logits of row %d were not asked for".formatted(row));
        }
        return source.fetch(this, logitRow[row]);
    }

    @Override
    public MemorySegment hidden(HiddenState which, int row) {
        var states = hidden.get(which);
        if (states == null) {
            throw new IllegalArgumentException(which + " was not asked for");
        }
        if (row < 0 || row >= rows()) {
            throw new IndexOutOfBoundsException("row %d of %d".formatted(row, rows()));
        }
        return states.asSlice(row * rowBytes, rowBytes);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            arena.close();
        }
    }

    private long logitBytes() {
        return (long) vocabularySize * Float.BYTES;
    }
}
