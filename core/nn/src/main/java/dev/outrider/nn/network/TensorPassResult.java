package dev.outrider.nn.network;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// A result that reads the network's output tensors in place. Segments handed out fail cleanly once it is closed.
final class TensorPassResult implements TensorResult {
    private final int rows;
    private final int[] logitRow;
    private final PtNDManager owner;
    private final long logitBytes;
    private final Arena arena = Arena.ofConfined();
    private final Optional<Tensor> logitTensor;
    private final Map<HiddenState, Tensor> hiddenTensors;
    private final MemorySegment logits;
    private final Map<HiddenState, MemorySegment> hidden = new HashMap<>();
    private boolean closed;

    /// @param logitRow per row of the pass its row in the logits, or -1
    /// @param logits   shape `[rows with logits, V]`, 32-bit
    /// @param hidden   shape `[rows, hiddenSize]` each, 32-bit
    /// @param owner    owns these tensors and is owned by this object from now on
    TensorPassResult(
            int[] logitRow,
            Optional<Tensor> logits,
            Map<HiddenState, Tensor> hidden,
            PtNDManager owner) {
        this.rows = logitRow.length;
        this.logitRow = logitRow;
        this.owner = owner;
        logitTensor = logits;
        hiddenTensors = Map.copyOf(hidden);
        this.logits = logits.map(this::view).orElse(MemorySegment.NULL);
        this.logitBytes = logits.map(tensor -> Float.BYTES * tensor.shape()[1]).orElse(0L);
        hidden.forEach((state, tensor) -> this.hidden.put(state, view(tensor)));
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public MemorySegment logits(int row) {
        if (logitRow[row] < 0) {
            throw new IllegalArgumentException(
                    "logits of row %d were not asked for".formatted(row));
        }
        return logits.asSlice(logitRow[row] * logitBytes, logitBytes);
    }

    @Override
    public MemorySegment hidden(HiddenState which, int row) {
        var states = states(which);
        if (row < 0 || row >= rows) {
            throw new IndexOutOfBoundsException("row %d of %d".formatted(row, rows));
        }
        long bytes = states.byteSize() / rows;
        return states.asSlice(row * bytes, bytes);
    }

    @Override
    public Tensor logits() {
        return logitTensor.orElseThrow(
                () -> new IllegalArgumentException("no logits were asked for"));
    }

    @Override
    public Tensor hidden(HiddenState which) {
        var tensor = hiddenTensors.get(which);
        if (tensor == null) {
            throw new IllegalArgumentException(which + " was not asked for");
        }
        return tensor;
    }

    private MemorySegment states(HiddenState which) {
        var states = hidden.get(which);
        if (states == null) {
            throw new IllegalArgumentException(which + " was not asked for");
        }
        return states;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            arena.close();
            owner.close();
        }
    }

    /// The tensor's memory with this result's lifetime instead of none at all.
    private MemorySegment view(Tensor tensor) {
        var memory = tensor.memory();
        return memory.reinterpret(memory.byteSize(), arena, unused -> {});
    }
}
