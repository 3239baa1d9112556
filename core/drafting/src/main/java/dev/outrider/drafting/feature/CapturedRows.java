package dev.outrider.drafting.feature;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Rows of true features that have not been run yet: for each the captured states, end to end. Confined to one thread.
public final class CapturedRows implements AutoCloseable {
    private static final int FIRST_CAPACITY = 16;

    private final List<HiddenState> captured;
    private final long rowBytes;
    private int capacity = FIRST_CAPACITY;
    private int size;
    private Arena arena = Arena.ofShared();
    private MemorySegment features;

    /// No rows.
    ///
    /// @param captured the states of a row
    /// @param width    numbers in all of them
    public CapturedRows(List<HiddenState> captured, int width) {
        this.captured = List.copyOf(captured);
        rowBytes = (long) width * Float.BYTES;
        features = arena.allocate(capacity * rowBytes, Float.BYTES);
    }

    /// Adds a row.
    ///
    /// @param states where it is copied from
    /// @param index  of the row there
    /// @throws IllegalArgumentException if the states have another width
    public void add(HiddenStates states, int index) {
        if (size == capacity) {
            grow();
        }
        long at = size * rowBytes;
        for (var state : captured) {
            var source = states.hidden(state, index);
            if (at + source.byteSize() <= (size + 1) * rowBytes) {
                MemorySegment.copy(source, 0, features, at, source.byteSize());
            }
            at += source.byteSize();
        }
        if (at != (size + 1) * rowBytes) {
            throw new IllegalArgumentException(
                    "captured states %s have %d numbers, the draft layer reads %d"
                            .formatted(
                                    captured,
                                    (at - size * rowBytes) / Float.BYTES,
                                    rowBytes / Float.BYTES));
        }
        size++;
    }

    /// Number of rows.
    public int size() {
        return size;
    }

    /// `[size()][width]`; valid until the next change.
    public MemorySegment features() {
        return features.asSlice(0, size * rowBytes);
    }

    /// Forgets all rows.
    public void clear() {
        size = 0;
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    private void grow() {
        var larger = Arena.ofShared();
        var copy = larger.allocate(2L * capacity * rowBytes, Float.BYTES);
        MemorySegment.copy(features, 0, copy, 0, size * rowBytes);
        arena.close();
        arena = larger;
        features = copy;
        capacity *= 2;
    }
}
