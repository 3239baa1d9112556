package dev.outrider.drafter.lookup;

import java.util.Arrays;

/// Rows of likely successors, best first: `4 * width` bytes a row. Confined to one thread.
public final class SuccessorRows {
    private static final int UNKNOWN = -1;

    private final int width;
    private int[] tokens;

    /// Creates empty rows.
    ///
    /// @param width maximum number of successors of a row
    public SuccessorRows(int rows, int width) {
        this.width = width;
        this.tokens = new int[Math.multiplyExact(rows, width)];
        Arrays.fill(tokens, UNKNOWN);
    }

    private SuccessorRows(int width, int[] tokens) {
        this.width = width;
        this.tokens = tokens;
    }

    /// Returns a copy.
    public SuccessorRows copy() {
        return new SuccessorRows(width, tokens.clone());
    }

    /// Returns the maximum number of successors of a row.
    public int width() {
        return width;
    }

    /// Returns the successors of a row, best first. The caller owns the array.
    public int[] successors(int row) {
        int start = row * width;
        int end = start;
        while (end < start + width && tokens[end] != UNKNOWN) {
            end++;
        }
        return Arrays.copyOfRange(tokens, start, end);
    }

    /// Puts a token first in a row. The tokens before it move down; in a full row without the token
    /// the last one is removed.
    public void putFirst(int row, int token) {
        int start = row * width;
        int place = start;
        while (place < start + width - 1 && tokens[place] != token && tokens[place] != UNKNOWN) {
            place++;
        }
        System.arraycopy(tokens, start, tokens, start + 1, place - start);
        tokens[start] = token;
    }

    /// Replaces a row.
    ///
    /// @param successors best first, at most `width`
    public void replace(int row, int... successors) {
        int start = row * width;
        System.arraycopy(successors, 0, tokens, start, successors.length);
        Arrays.fill(tokens, start + successors.length, start + width, UNKNOWN);
    }

    /// Makes room for at least this many rows; new ones are empty.
    public void growTo(int rows) {
        int before = tokens.length;
        int after = Math.multiplyExact(rows, width);
        if (after > before) {
            tokens = Arrays.copyOf(tokens, after);
            Arrays.fill(tokens, before, after, UNKNOWN);
        }
    }

    /// Returns the memory in bytes.
    public long bytes() {
        return (long) Integer.BYTES * tokens.length;
    }
}
