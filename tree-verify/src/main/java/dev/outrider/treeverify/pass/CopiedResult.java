package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.PassPlan;
import dev.outrider.nn.network.PassResult;
import dev.outrider.spi.HiddenState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// What was copied back from the device.
final class CopiedResult implements PassResult {
    private final Arena arena = Arena.ofConfined();
    private final int[] logitRow;
    private final long rowBytes;
    private final long logitBytes;
    private final MemorySegment logits;
    private final Map<HiddenState, MemorySegment> hidden = new LinkedHashMap<>();
    private boolean closed;

    /// Memory for the results of a pass.
    CopiedResult(PassPlan plan, Set<HiddenState> states, int vocabularySize, int hiddenSize) {
        logitRow = plan.logitRow();
        rowBytes = (long) hiddenSize * Float.BYTES;
        logitBytes = (long) vocabularySize * Float.BYTES;
        int withLogits = 0;
        for (int row : logitRow) {
            withLogits += row < 0 ? 0 : 1;
        }
        logits = floats(withLogits * (long) vocabularySize);
        for (var state : states) {
            hidden.put(state, floats((long) logitRow.length * hiddenSize));
        }
    }

    /// Memory of some rows' logits.
    MemorySegment logitRows(int first, int count) {
        return logits.asSlice(first * logitBytes, count * logitBytes);
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
        return logitRows(logitRow[row], 1);
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

    private MemorySegment floats(long count) {
        return arena.allocate(ValueLayout.JAVA_FLOAT, count);
    }
}
