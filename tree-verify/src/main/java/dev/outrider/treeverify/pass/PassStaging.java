package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.FeatureRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;

/// The inputs of one run of a program, in the order of [PassLayout]. Confined to one thread.
public final class PassStaging {
    private final ProgramShape shape;
    private final int[] numbers;
    private final long[] masks;
    private final float[] features;
    private final int[] captured;

    public PassStaging(ProgramShape shape) {
        this.shape = shape;
        numbers = new int[PassLayout.size(shape.maxRows(), shape.maxMoves())];
        masks = new long[shape.maxRows() * shape.maskWords()];
        features = new float[shape.maxRows() * shape.fusion().featureWidth()];
        captured = new int[PassLayout.size(shape.maxRows(), 0)];
    }

    /// Returns the integers, which are copied to the device; not a copy.
    public int[] numbers() {
        return numbers;
    }

    /// Returns the masks, `[maxRows, maskWords]`, which are copied to the device; not a copy.
    public long[] masks() {
        return masks;
    }

    /// Returns the features of a draft layer's rows, one after the other, which are copied to the device; not a copy.
    public float[] features() {
        return features;
    }

    /// Returns the integers of the rows whose features are captured states that are to be reduced, with their number: all rows of
    /// the run, or none; with a context other rows, which have a position and a slot. Not a copy.
    public int[] captured() {
        return captured;
    }

    /// Adds the feature of the row that was added last. All features of a run have the same source.
    ///
    /// @param feature 32-bit floats in native byte order
    /// @param source  their origin
    public void feature(MemorySegment feature, FeatureRows.Source source) {
        copy(feature, rows() - 1);
        boolean reduced =
                source == FeatureRows.Source.TARGET && shape.fusion().reduction().isPresent();
        captured[PassLayout.ROWS] = reduced ? rows() : 0;
    }

    /// Adds a row of a context.
    ///
    /// @param feature captured states, 32-bit floats in native byte order
    /// @param slot    cache row that stores its keys and values
    public void context(MemorySegment feature, int position, int slot) {
        int row = captured[PassLayout.ROWS]++;
        copy(feature, row);
        captured[PassLayout.index(PassLayout.POSITION, shape.maxRows(), row)] = position;
        captured[PassLayout.index(PassLayout.SLOT, shape.maxRows(), row)] = slot;
    }

    private void copy(MemorySegment feature, int row) {
        int width = Math.toIntExact(feature.byteSize() / Float.BYTES);
        MemorySegment.copy(feature, ValueLayout.JAVA_FLOAT, 0, features, row * width, width);
    }

    /// Returns the number of rows of the run.
    public int rows() {
        return numbers[PassLayout.ROWS];
    }

    /// Returns the number of rows with logits.
    public int logitRows() {
        return numbers[PassLayout.LOGIT_ROWS];
    }

    /// Returns whether no other row fits.
    public boolean full() {
        return rows() == shape.maxRows();
    }

    /// Starts a new run, without rows and moves.
    public void clear() {
        numbers[PassLayout.ROWS] = 0;
        numbers[PassLayout.LOGIT_ROWS] = 0;
        numbers[PassLayout.MOVES] = 0;
        numbers[PassLayout.MAX_KEYS] = 0;
        captured[PassLayout.ROWS] = 0;
    }

    /// Adds the move of a cache row, which the run makes before it computes rows.
    ///
    /// @return whether there was space for it
    public boolean move(int source, int destination) {
        int moves = numbers[PassLayout.MOVES];
        if (moves == shape.maxMoves()) {
            return false;
        }
        int sources = PassLayout.index(PassLayout.SECTIONS, shape.maxRows(), 0);
        numbers[sources + moves] = source;
        numbers[sources + shape.maxMoves() + moves] = destination;
        numbers[PassLayout.MOVES] = moves + 1;
        return true;
    }

    /// Adds a row.
    ///
    /// @param token      token id
    /// @param position   rotary position
    /// @param base       first cache row of its sequence
    /// @param slot       cache row that stores its key and value, counted from `base`
    /// @param prefix     number of cache rows from `base` on that it sees regardless of its mask
    /// @param mask       rows after the prefix that it sees
    /// @param withLogits whether it gets logits
    public void add(
            int token,
            int position,
            int base,
            int slot,
            int prefix,
            BitSet mask,
            boolean withLogits) {
        int row = numbers[PassLayout.ROWS];
        put(PassLayout.TOKEN, row, token);
        put(PassLayout.POSITION, row, position);
        put(PassLayout.SLOT, row, base + slot);
        put(PassLayout.BASE, row, base);
        put(PassLayout.PREFIX, row, prefix);
        int keys = prefix + mask.cardinality();
        put(PassLayout.KEYS, row, keys);
        numbers[PassLayout.MAX_KEYS] = Math.max(numbers[PassLayout.MAX_KEYS], keys);
        put(PassLayout.BITS, row, mask.length());
        long[] words = mask.toLongArray();
        for (int word = 0; word < shape.maskWords(); word++) {
            masks[row * shape.maskWords() + word] = word < words.length ? words[word] : 0;
        }
        if (withLogits) {
            int logits = numbers[PassLayout.LOGIT_ROWS];
            put(PassLayout.LOGIT_ROW, logits, row);
            numbers[PassLayout.LOGIT_ROWS] = logits + 1;
        }
        numbers[PassLayout.ROWS] = row + 1;
    }

    private void put(int section, int row, int value) {
        numbers[PassLayout.index(section, shape.maxRows(), row)] = value;
    }

    /// The layout of the array of integers that is copied to the device before a pass.
    ///
    /// The array has a header of [#HEAD] numbers, then sections of `maxRows` numbers each, then the moves of cache rows, sources
    /// before destinations.
    public static final class PassLayout {
        /// Index of the number of rows n.
        public static final int ROWS = 0;

        /// Index of the number of rows with logits.
        public static final int LOGIT_ROWS = 1;

        /// Index of the number of cache rows to move before the pass.
        public static final int MOVES = 2;

        /// Index of the maximum number of cache rows that one of the rows sees if its window is ignored.
        public static final int MAX_KEYS = 3;

        /// Numbers before the first section.
        public static final int HEAD = 8;

        /// Section: token id of a row.
        public static final int TOKEN = 0;

        /// Section: rotary position of a row.
        public static final int POSITION = 1;

        /// Section: cache row that stores the row's key and value.
        public static final int SLOT = 2;

        /// Section: first cache row of the row's sequence.
        public static final int BASE = 3;

        /// Section: number of cache rows from there on that the row sees regardless of its mask.
        public static final int PREFIX = 4;

        /// Section: total number of cache rows that it sees, including its own.
        public static final int KEYS = 5;

        /// Section: number of bits of its mask; bit s is for cache row `BASE + PREFIX + s`.
        public static final int BITS = 6;

        /// Section: for each row of logits, the row of the pass that it belongs to.
        public static final int LOGIT_ROW = 7;

        /// Number of sections.
        public static final int SECTIONS = 8;

        private PassLayout() {}

        /// Returns the index of a row's number in a section.
        public static int index(int section, int maxRows, int row) {
            return HEAD + section * maxRows + row;
        }

        /// Returns the length of the array.
        public static int size(int maxRows, int maxMoves) {
            return HEAD + SECTIONS * maxRows + 2 * maxMoves;
        }
    }
}
