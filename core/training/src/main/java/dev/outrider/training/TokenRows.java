package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;

/// A batch of packed rows of tokens.
///
/// @param tokens shape `[rows][width]`, flat
/// @param rows   B, at least 1
public record TokenRows(long[] tokens, int rows) {
    public TokenRows {
        if (rows < 1 || tokens.length == 0 || tokens.length % rows != 0) {
            throw new IllegalArgumentException(
                    "%d tokens in %d rows".formatted(tokens.length, rows));
        }
    }

    /// Tokens of a row.
    public int width() {
        return tokens.length / rows;
    }

    /// Columns `from` to `to` of every row.
    public TokenRows columns(int from, int to) {
        var cut = new long[rows * (to - from)];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(tokens, row * width() + from, cut, row * (to - from), to - from);
        }
        return new TokenRows(cut, rows);
    }

    /// Without each row's last token: what is read when every token predicts the next.
    public TokenRows inputs() {
        return columns(0, width() - 1);
    }

    /// Without each row's first token: what is predicted.
    public TokenRows labels() {
        return columns(1, width());
    }

    /// One row's tokens.
    int[] row(int row) {
        var ids = new int[width()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = Math.toIntExact(tokens[row * width() + i]);
        }
        return ids;
    }

    /// Shape `[rows, width]`, 64-bit integers; the manager owns it.
    public NDArray array(NDManager manager) {
        return manager.create(tokens, new Shape(rows, width()));
    }
}
