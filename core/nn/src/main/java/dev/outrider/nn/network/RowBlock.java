package dev.outrider.nn.network;

import dev.outrider.common.Require;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.stream.IntStream;

/// One sequence's rows in a pass. They are appended to the cache as scratch rows.
///
/// @param cache     a cache of the network that runs the pass
/// @param tokens    token ids, one per row
/// @param positions rotary positions, one per row
/// @param mask      what the rows attend to beyond the committed rows
public record RowBlock(KvCache cache, int[] tokens, int[] positions, RowMask mask) {
    public RowBlock {
        Require.that(
                tokens.length != 0 && tokens.length == positions.length,
                "%d tokens with %d positions",
                tokens.length,
                positions.length);
    }

    /// Returns the nodes of a tree over a cache without scratch rows: node `i` sees its ancestors and itself, at position
    /// `cache.length() + depth(i)`.
    public static RowBlock ofTree(KvCache cache, TokenTree tree) {
        return ofTree(cache, tree, 0);
    }

    /// Returns the block of a tree whose first nodes are already the cache's scratch rows, in their order.
    ///
    /// @param held number of those nodes; fewer than the tree has
    public static RowBlock ofTree(KvCache cache, TokenTree tree, int held) {
        requireScratch(cache, held);
        return rowsOf(cache, tree, held);
    }

    /// Returns the nodes of a tree that are the cache's scratch rows, in their order.
    public static RowBlock scratchRows(KvCache cache, TokenTree tree) {
        requireScratch(cache, tree.size());
        return rowsOf(cache, tree, 0);
    }

    private static void requireScratch(KvCache cache, int expected) {
        Require.that(
                cache.used() - cache.length() == expected,
                "cache holds %d scratch rows, expected %d",
                cache.used() - cache.length(),
                expected);
    }

    private static RowBlock rowsOf(KvCache cache, TokenTree tree, int held) {
        int[] tokens = Arrays.copyOfRange(tree.tokens(), held, tree.size());
        var positions = new int[tokens.length];
        var visible = new ArrayList<BitSet>(tree.size());
        boolean chain = true;
        for (int node = 0; node < tree.size(); node++) {
            var seen = node == 0 ? new BitSet() : (BitSet) visible.get(tree.parent(node)).clone();
            seen.set(node);
            visible.add(seen);
            chain &= tree.depth(node) == node;
            if (node >= held) {
                positions[node - held] = cache.length() + tree.depth(node);
            }
        }
        // A chain's rows see all earlier rows; networks need no general mask for that.
        return new RowBlock(
                cache,
                tokens,
                positions,
                chain
                        ? new RowMask.Causal()
                        : new RowMask.Ancestors(visible.subList(held, tree.size())));
    }

    /// Returns rows that all see each other, as in an encoder; they come after the committed ones.
    ///
    /// @param cache without scratch rows
    public static RowBlock mutual(KvCache cache, int... tokens) {
        var all = new BitSet();
        all.set(0, tokens.length);
        return new RowBlock(
                cache,
                tokens,
                IntStream.range(cache.length(), cache.length() + tokens.length).toArray(),
                new RowMask.Ancestors(Collections.nCopies(tokens.length, all)));
    }

    /// Returns rows that continue a sequence: causal, at the positions after the cache's rows.
    public static RowBlock continuing(KvCache cache, int... tokens) {
        var positions = new int[tokens.length];
        for (int row = 0; row < tokens.length; row++) {
            positions[row] = cache.used() + row;
        }
        return new RowBlock(cache, tokens, positions, new RowMask.Causal());
    }
}
