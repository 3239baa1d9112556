package dev.outrider.nn.network;

import dev.outrider.common.Require;
import dev.outrider.spi.target.HiddenState;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/// The rows of all blocks of a pass, one after another, checked before anything is changed.
///
/// @param blocks    the blocks
/// @param starts    per block its first row in the pass
/// @param tokens    token per row
/// @param positions position per row
/// @param logitRow  per row its row among those with logits, or -1
public record PassPlan(
        List<RowBlock> blocks, int[] starts, int[] tokens, int[] positions, int[] logitRow) {
    /// @throws IllegalArgumentException if a token, a position, a mask or a hidden state is out of range, a cache
    ///                                  occurs twice, or a cache has too little room
    public static PassPlan of(List<RowBlock> blocks, PassOutputs outputs, DecoderConfig config) {
        return of(blocks, outputs, config, true);
    }

    /// Returns the plan of a pass of rows that are already the last scratch rows of their caches.
    public static PassPlan ofScratchRows(
            List<RowBlock> blocks, PassOutputs outputs, DecoderConfig config) {
        return of(blocks, outputs, config, false);
    }

    private static PassPlan of(
            List<RowBlock> blocks, PassOutputs outputs, DecoderConfig config, boolean added) {
        Require.that(!blocks.isEmpty(), "a pass needs at least one block");
        var caches = new HashSet<KvCache>();
        var starts = new int[blocks.size()];
        int rows = 0;
        for (int index = 0; index < starts.length; index++) {
            var block = blocks.get(index);
            Require.that(caches.add(block.cache()), "a cache occurs in two blocks of a pass");
            check(block, config, added);
            starts[index] = rows;
            rows += block.tokens().length;
        }
        for (var state : outputs.hiddenStates()) {
            check(state, config);
        }
        var tokens = new int[rows];
        var positions = new int[rows];
        var logitRow = new int[rows];
        int withLogits = 0;
        for (int index = 0; index < starts.length; index++) {
            var block = blocks.get(index);
            int count = block.tokens().length;
            System.arraycopy(block.tokens(), 0, tokens, starts[index], count);
            System.arraycopy(block.positions(), 0, positions, starts[index], count);
            for (int row = 0; row < count; row++) {
                boolean wanted =
                        switch (outputs.logits()) {
                            case NONE -> false;
                            case LAST -> row >= count - outputs.lastRows();
                            case ALL -> true;
                        };
                logitRow[starts[index] + row] = wanted ? withLogits++ : -1;
            }
        }
        return new PassPlan(List.copyOf(blocks), starts, tokens, positions, logitRow);
    }

    /// Returns the number of rows of the pass.
    public int rows() {
        return tokens.length;
    }

    /// Returns the rows of the pass that get logits, in order.
    public long[] rowsWithLogits() {
        return IntStream.range(0, rows())
                .filter(row -> logitRow[row] >= 0)
                .asLongStream()
                .toArray();
    }

    private static void check(RowBlock block, DecoderConfig config, boolean added) {
        int rows = block.tokens().length;
        var cache = block.cache();
        int scratch = cache.used() - cache.length() - (added ? 0 : rows);
        Require.that(
                !added || cache.used() + rows <= cache.capacity(),
                "%d rows do not fit: %d of %d are used",
                rows,
                cache.used(),
                cache.capacity());
        Require.that(
                scratch >= 0,
                "%d rows are not among the %d scratch rows of the cache",
                rows,
                cache.used() - cache.length());
        for (int row = 0; row < rows; row++) {
            requireBelow("token", block.tokens()[row], config.vocabularySize());
            requireBelow("position", block.positions()[row], config.maxPositions());
        }
        switch (block.mask()) {
            case RowMask.Causal() -> {}
            case RowMask.Ancestors(var visible) -> {
                Require.that(
                        visible.size() == rows,
                        "a mask of %d rows for %d tokens",
                        visible.size(),
                        rows);
                for (int row = 0; row < rows; row++) {
                    Require.that(
                            visible.get(row).get(scratch + row)
                                    && visible.get(row).length() <= scratch + rows,
                            "row %d sees %s, which must contain itself, %d, and nothing from %d on",
                            row,
                            visible.get(row),
                            scratch + row,
                            scratch + rows);
                }
            }
        }
    }

    private static void check(HiddenState state, DecoderConfig config) {
        if (state instanceof HiddenState.AfterLayer(int layers) && layers > config.layers()) {
            throw new IllegalArgumentException(
                    "%s of a network with %d layers".formatted(state, config.layers()));
        }
    }

    private static void requireBelow(String what, int value, int bound) {
        Require.that(
                value >= 0 && value < bound,
                "%s %d is not between 0 and %d",
                what,
                value,
                bound - 1);
    }

    @Override
    public String toString() {
        return "PassPlan[tokens=%s, positions=%s]"
                .formatted(Arrays.toString(tokens), Arrays.toString(positions));
    }
}
