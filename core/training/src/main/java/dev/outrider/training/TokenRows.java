package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import dev.outrider.common.Require;
import java.util.Arrays;
import java.util.List;

/// A batch of packed rows of tokens.
///
/// @param tokens  shape `[rows][width]`, flat
/// @param learned for each token, whether its prediction is learned; other tokens are only read
/// @param rows    B, at least 1
public record TokenRows(long[] tokens, boolean[] learned, int rows) {
    public TokenRows {
        Require.that(
                rows >= 1 && tokens.length != 0 && tokens.length % rows == 0,
                "%d tokens in %d rows",
                tokens.length,
                rows);
        Require.that(
                learned.length == tokens.length,
                "%d tokens, of %d is said whether they are learned",
                tokens.length,
                learned.length);
    }

    /// Rows whose tokens are all learned.
    public TokenRows(long[] tokens, int rows) {
        this(tokens, all(tokens.length), rows);
    }

    /// Rows of the same width, one after another.
    static TokenRows joined(List<TokenRows> parts) {
        int each = parts.getFirst().tokens.length;
        var tokens = new long[parts.size() * each];
        var learned = new boolean[tokens.length];
        int rows = 0;
        for (int i = 0; i < parts.size(); i++) {
            System.arraycopy(parts.get(i).tokens, 0, tokens, i * each, each);
            System.arraycopy(parts.get(i).learned, 0, learned, i * each, each);
            rows += parts.get(i).rows;
        }
        return new TokenRows(tokens, learned, rows);
    }

    private static boolean[] all(int count) {
        var learned = new boolean[count];
        Arrays.fill(learned, true);
        return learned;
    }

    /// Tokens of a row.
    public int width() {
        return tokens.length / rows;
    }

    /// Columns `from` to `to` of every row.
    public TokenRows columns(int from, int to) {
        int width = to - from;
        var cut = new long[rows * width];
        var cutLearned = new boolean[rows * width];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(tokens, row * width() + from, cut, row * width, width);
            System.arraycopy(learned, row * width() + from, cutLearned, row * width, width);
        }
        return new TokenRows(cut, cutLearned, rows);
    }

    /// Returns the rows without their last tokens: the inputs if every token predicts the next.
    public TokenRows inputs() {
        return columns(0, width() - 1);
    }

    /// Returns the rows without their first tokens: the tokens to predict.
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

    /// One of the rows.
    TokenRows only(int row) {
        int from = row * width();
        return new TokenRows(
                Arrays.copyOfRange(tokens, from, from + width()),
                Arrays.copyOfRange(learned, from, from + width()),
                1);
    }

    /// Returns the number of learned tokens.
    public long learnedTokens() {
        long count = 0;
        for (boolean each : learned) {
            count += each ? 1 : 0;
        }
        return count;
    }

    /// Shape `[rows, width]`, 64-bit integers; the manager owns it.
    public NDArray array(NDManager manager) {
        return manager.create(tokens, new Shape(rows, width()));
    }

    /// Shape `[rows, width]`, 64-bit integers, 1 for learned tokens and 0 for others; the manager owns it.
    public NDArray mask(NDManager manager) {
        var mask = new long[learned.length];
        for (int i = 0; i < mask.length; i++) {
            mask[i] = learned[i] ? 1 : 0;
        }
        return manager.create(mask, new Shape(rows, width()));
    }
}
