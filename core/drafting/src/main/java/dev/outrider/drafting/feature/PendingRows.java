package dev.outrider.drafting.feature;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// Rows of true features that the draft layer has not run yet, each with the token of the position after it. Confined to one
/// thread.
final class PendingRows implements AutoCloseable {
    private final CapturedRows rows;
    private int[] tokens = new int[16];

    PendingRows(List<HiddenState> captured, int width) {
        rows = new CapturedRows(captured, width);
    }

    /// Adds a row.
    ///
    /// @param token of the position after `index`
    void add(HiddenStates states, int index, int token) {
        int size = rows.size();
        rows.add(states, index);
        if (size == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * size);
        }
        tokens[size] = token;
    }

    int size() {
        return rows.size();
    }

    int[] tokens() {
        return Arrays.copyOf(tokens, size());
    }

    /// `[size()][width]`; valid until the next change.
    MemorySegment features() {
        return rows.features();
    }

    void clear() {
        rows.clear();
    }

    @Override
    public void close() {
        rows.close();
    }
}
