package dev.outrider.testkit;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.MemorySegment;

/// The hidden states that a session begins with where none were requested.
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
