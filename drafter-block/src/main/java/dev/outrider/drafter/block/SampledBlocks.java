package dev.outrider.drafter.block;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.common.Require;
import dev.outrider.drafter.block.BlockLayout.Slots;
import dev.outrider.training.TokenRows;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// The training blocks of a batch of rows: places drawn at random, always the same for the same rows. Shapes: B
/// rows of W tokens, A blocks in a row, S slots, G guesses.
///
/// @param rows    rows to learn
/// @param plan    A and S
/// @param slots   of a block
/// @param anchors `[B][A]`: places of the anchors, ascending
@SuppressWarnings("ArrayRecordComponent")
record SampledBlocks(TokenRows rows, BlockPlan plan, Slots slots, int[][] anchors) {
    private static final float HIDDEN = -1e30f;

    /// @param seed of the run
    /// @throws IllegalArgumentException if a row is too short for a block
    static SampledBlocks draw(TokenRows rows, BlockPlan plan, Slots slots, long seed) {
        int places = rows.width() - slots.guesses() + 1;
        Require.that(
                places >= plan.anchors(),
                "rows of %d tokens have %d places for blocks of %d guesses, %d are to be drawn",
                rows.width(),
                places,
                slots.guesses(),
                plan.anchors());
        var random = new SplittableRandom(31 * seed + Arrays.hashCode(rows.tokens()));
        var anchors = new int[rows.rows()][];
        for (int row = 0; row < anchors.length; row++) {
            anchors[row] =
                    random.ints(0, places).distinct().limit(plan.anchors()).sorted().toArray();
        }
        return new SampledBlocks(rows, plan, slots, anchors);
    }

    /// Returns the inputs of the program beside the target's states:
    ///
    /// 0. tokens of the blocks, `[B, A S]`
    /// 1. their positions, `[B, A S]`
    /// 2. mask of their attention over W positions and A S slots, `[B, 1, A S, W + A S]`, 0 or nearly minus infinity
    /// 3. the token before each slot's guess, `[B A, S]`
    /// 4. the position whose distribution each guess learns, counted over all rows, `[B A G]`
    /// 5. weight of the guess, `[B A G]`; 0 if its token is not learned
    List<NDArray> inputs(PtNDManager manager) {
        int count = rows.rows();
        int width = rows.width();
        int size = slots.size();
        int all = plan.anchors() * size;
        int guesses = slots.guesses();
        var tokens = new long[count * all];
        var positions = new long[count * all];
        var mask = new float[count * all * (width + all)];
        Arrays.fill(mask, HIDDEN);
        var before = new long[count * all];
        var truths = new long[count * plan.anchors() * guesses];
        var weights = new float[truths.length];
        for (int row = 0; row < count; row++) {
            for (int block = 0; block < plan.anchors(); block++) {
                int anchor = anchors[row][block];
                for (int slot = 0; slot < size; slot++) {
                    int at = row * all + block * size + slot;
                    tokens[at] = slot == 0 ? token(row, anchor) : slots.mask();
                    positions[at] = anchor + slot;
                    before[at] = token(row, anchor + Math.max(0, slot - slots.first()));
                    int line = at * (width + all);
                    Arrays.fill(mask, line, line + anchor, 0);
                    int own = line + width + block * size;
                    Arrays.fill(mask, own, own + size, 0);
                }
                for (int guess = 0; guess < guesses; guess++) {
                    int at = (row * plan.anchors() + block) * guesses + guess;
                    int position = anchor + guess;
                    truths[at] = (long) row * width + position;
                    // The last position's token is after the row, and is learned if the row's last
                    // token is.
                    int label = row * width + Math.min(position + 1, width - 1);
                    weights[at] =
                            rows.learned()[label] ? (float) Math.exp(-guess / plan.gamma()) : 0;
                }
            }
        }
        return List.of(
                manager.create(tokens, new Shape(count, all)),
                manager.create(positions, new Shape(count, all)),
                manager.create(mask, new Shape(count, 1, all, width + all)),
                manager.create(before, new Shape((long) count * plan.anchors(), size)),
                manager.create(truths, new Shape(truths.length)),
                manager.create(weights, new Shape(weights.length)));
    }

    private long token(int row, int position) {
        return rows.tokens()[row * rows.width() + position];
    }
}
