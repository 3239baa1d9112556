package dev.outrider.drafting.feature;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// Rows of true features that the draft layer has not run yet: for each the captured states, end to end, and the
/// token of the position after them. Confined to one thread.
final class PendingRows implements AutoCloseable {
    private final List<HiddenState> captured;
    private final long rowBytes;
    private int[] tokens = new int[16];
    private int size;
    private Arena arena = Arena.ofShared();
    private MemorySegment features;

    PendingRows(List<HiddenState> captured, int width) {
        this.captured = captured;
        rowBytes = (long) width * Float.BYTES;
        features = arena.allocate(tokens.length * rowBytes, Float.BYTES);
    }

    /// Adds a row.
    ///
    /// @param token of the position after `index`
    void add(HiddenStates states, int index, int token) {
        if (size == tokens.length) {
            grow();
        }
        long at = size * rowBytes;
        for (var state : captured) {
            var source = states.hidden(state, index);
            MemorySegment.copy(source, 0, features, at, source.byteSize());
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
        tokens[size++] = token;
    }

    int size() {
        return size;
    }

    int[] tokens() {
        return Arrays.copyOf(tokens, size);
    }

    /// `[size()][width]`; valid until the next change.
    MemorySegment features() {
        return features.asSlice(0, size * rowBytes);
    }

    /// The features of the last row; valid until the next change.
    MemorySegment lastFeatures() {
        return features.asSlice((size - 1) * rowBytes, rowBytes);
    }

    void clear() {
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
        var copy = larger.allocate(2 * tokens.length * rowBytes, Float.BYTES);
        MemorySegment.copy(features, 0, copy, 0, size * rowBytes);
        arena.close();
        arena = larger;
        features = copy;
        tokens = Arrays.copyOf(tokens, 2 * tokens.length);
    }
}
