package dev.outrider.treeverify.pass;

/// Where the numbers of a pass lie in the one array of integers that is copied to the device before it.
///
/// A head of [#HEAD] numbers; then sections of `maxRows` numbers each; then the moves of cache rows, sources
/// before destinations.
public final class PassLayout {
    /// Index of the number of rows n.
    public static final int ROWS = 0;

    /// Index of the number of rows with logits.
    public static final int LOGIT_ROWS = 1;

    /// Index of the number of cache rows to move before the pass.
    public static final int MOVES = 2;

    /// Index of the most cache rows that one of the rows sees, whatever its window.
    public static final int MAX_KEYS = 3;

    /// Numbers before the first section.
    public static final int HEAD = 8;

    /// Section: token id of a row.
    public static final int TOKEN = 0;

    /// Section: rotary position of a row.
    public static final int POSITION = 1;

    /// Section: cache row that takes the row's key and value.
    public static final int SLOT = 2;

    /// Section: first cache row of the row's sequence.
    public static final int BASE = 3;

    /// Section: how many cache rows from there on the row sees without looking at its mask.
    public static final int PREFIX = 4;

    /// Section: how many cache rows it sees in all, its own included.
    public static final int KEYS = 5;

    /// Section: how many bits of its mask there are; bit s stands for cache row `BASE + PREFIX + s`.
    public static final int BITS = 6;

    /// Section: the row that the i-th row of logits belongs to.
    public static final int LOGIT_ROW = 7;

    /// Number of sections.
    public static final int SECTIONS = 8;

    private PassLayout() {}

    /// Index of a row's number in a section.
    public static int index(int section, int maxRows, int row) {
        return HEAD + section * maxRows + row;
    }

    /// Numbers in the array.
    public static int size(int maxRows, int maxMoves) {
        return HEAD + SECTIONS * maxRows + 2 * maxMoves;
    }
}
