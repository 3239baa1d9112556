package dev.outrider.testkit;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.MemorySegment;

/// The initial hidden states of a session that requested none.
public record NoStates() implements HiddenStates {
    @Override
    public int size() {
        return 0;
    }

    @Override
    public MemorySegment hidden(HiddenState which, int index) {
        throw new IndexOutOfBoundsException(index);
    }

    @Override
    public void close() {}
}
