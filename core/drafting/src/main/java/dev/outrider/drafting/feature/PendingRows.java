package dev.outrider.drafting.feature;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// Rows of true features that the draft layer has not run yet, each with the token of the position after it. Confined to one
/// thread.
public final class PendingRows implements AutoCloseable {
    private final CapturedRows rows;
    private int[] tokens = new int[16];

    /// No rows.
    ///
    /// @param captured the states of a row
    /// @param width    numbers in all of them
    public PendingRows(List<HiddenState> captured, int width) {
        rows = new CapturedRows(captured, width);
    }

    /// Adds a row.
    ///
    /// @param states where its features are copied from
    /// @param index  of the row there
    /// @param token  of the position after `index`
    public void add(HiddenStates states, int index, int token) {
        int size = rows.size();
        rows.add(states, index);
        if (size == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * size);
        }
        tokens[size] = token;
    }

    /// Number of rows.
    public int size() {
        return rows.size();
    }

    /// Their tokens.
    public int[] tokens() {
        return Arrays.copyOf(tokens, size());
    }

    /// `[size()][width]`; valid until the next change.
    public MemorySegment features() {
        return rows.features();
    }

    /// Forgets all rows.
    public void clear() {
        rows.clear();
    }

    @Override
    public void close() {
        rows.close();
    }
}
