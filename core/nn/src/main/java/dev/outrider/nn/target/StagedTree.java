package dev.outrider.nn.target;

import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassRow;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.tree.TokenTree;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// A session's tree on its way into a pass.
///
/// @param session whose it is
/// @param cache   the session's; its scratch rows are the first rows of the tree, as many as there are states
/// @param tree    what is scored
/// @param rows    what the pass computes
/// @param row     of each node of the tree, which row it is
/// @param layer   layers that the first rows went through already; 0 if there are none such
/// @param begun   states of those rows
record StagedTree(
        NetworkSession session,
        KvCache cache,
        TokenTree tree,
        TokenTree rows,
        int[] row,
        int layer,
        List<PassRow> begun) {
    /// A tree of which nothing was run.
    static StagedTree fresh(NetworkSession session, KvCache cache, TokenTree tree) {
        return new StagedTree(
                session,
                cache,
                tree,
                tree,
                IntStream.range(0, tree.size()).toArray(),
                0,
                List.of());
    }

    Set<HiddenState> states() {
        return session.hiddenStates();
    }

    /// Rows that were not run, for a pass that appends them to the cache.
    Optional<RowBlock> unrun() {
        return begun.size() == rows.size()
                ? Optional.empty()
                : Optional.of(RowBlock.ofTree(cache, rows, begun.size()));
    }

    /// All rows, once they are in the cache.
    RowBlock all() {
        return RowBlock.scratchRows(cache, rows);
    }
}
