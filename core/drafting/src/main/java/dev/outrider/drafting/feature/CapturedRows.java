package dev.outrider.drafting.feature;

import dev.outrider.common.Require;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// Rows of true features that a head has not run yet: the captured states of a position, concatenated, and the token
/// after it. Confined to one thread.
public final class CapturedRows implements AutoCloseable {
    private static final int FIRST_CAPACITY = 16;

    private final List<HiddenState> captured;
    private final long rowBytes;
    private int size;
    private int[] tokens = new int[FIRST_CAPACITY];
    private Arena arena = Arena.ofShared();
    private MemorySegment features;

    /// Starts without rows.
    ///
    /// @param captured the states of a row
    /// @param width    numbers in all states of a row
    public CapturedRows(List<HiddenState> captured, int width) {
        this.captured = List.copyOf(captured);
        rowBytes = (long) width * Float.BYTES;
        features = arena.allocate(tokens.length * rowBytes, Float.BYTES);
    }

    /// Adds a row.
    ///
    /// @param states source of the copy
    /// @param index  index of the row in the source
    /// @param token  the token after it
    /// @throws IllegalArgumentException if the states have another width
    public void add(HiddenStates states, int index, int token) {
        if (size == tokens.length) {
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
        Require.that(
                at == (size + 1) * rowBytes,
                "captured states %s have %d numbers, the draft layer reads %d",
                captured,
                (at - size * rowBytes) / Float.BYTES,
                rowBytes / Float.BYTES);
        tokens[size] = token;
        size++;
    }

    /// Returns the number of rows.
    public int size() {
        return size;
    }

    /// Returns the tokens after the rows.
    public int[] tokens() {
        return Arrays.copyOf(tokens, size);
    }

    /// Returns all rows, one after the other; valid until rows are added or cleared.
    public MemorySegment features() {
        return features.asSlice(0, size * rowBytes);
    }

    /// Removes all rows.
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
        tokens = Arrays.copyOf(tokens, 2 * size);
        var larger = Arena.ofShared();
        var copy = larger.allocate(tokens.length * rowBytes, Float.BYTES);
        MemorySegment.copy(features, 0, copy, 0, size * rowBytes);
        arena.close();
        arena = larger;
        features = copy;
    }
}
