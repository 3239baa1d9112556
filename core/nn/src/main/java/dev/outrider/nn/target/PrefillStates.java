package dev.outrider.nn.target;

import dev.outrider.nn.network.PassResult;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Hidden states of a prompt that went through the network in several passes.
final class PrefillStates implements HiddenStates {
    private final List<PassResult> passes;
    private final int rowsPerPass;
    private final int size;

    /// @param passes      in order; all but the last have `rowsPerPass` rows; owned from now on
    PrefillStates(List<PassResult> passes, int rowsPerPass, int size) {
        this.passes = List.copyOf(passes);
        this.rowsPerPass = rowsPerPass;
        this.size = size;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public MemorySegment hidden(HiddenState which, int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException("token %d of %d".formatted(index, size));
        }
        return passes.get(index / rowsPerPass).hidden(which, index % rowsPerPass);
    }

    @Override
    public void close() {
        passes.forEach(PassResult::close);
    }
}
