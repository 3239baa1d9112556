package dev.outrider.spi.target;

import dev.outrider.spi.tree.TokenTree;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Passes through some of a target's layers, over the committed rows of one of its sessions: what a target offers so that a drafter can
/// draft with the target itself. A session offers it by [TargetSession#capability].
///
/// A drafter begins, then grows a tree level by level. What rows of the [first layers][LayerSubset.First] gave stays, keys and values too:
/// when the session next scores a tree, nodes of it that were grown begin above those layers, so that no layer runs twice for one node.
/// Rows with [sub-layers left out][LayerSubset.Without] are good for nothing but the draft, and are dropped. The scores of a tree are
/// the same to the last bit, whatever was grown before.
///
/// [TargetSession#score], [TargetSession#prefill] and [TargetSession#commit] end what was begun. Confined to the session's thread, and valid as
/// long as the session is open.
@API(status = Status.EXPERIMENTAL, since = "5")
public interface PartialPasses {
    /// {@return rows that can be run before the session is full, those of the tree that is growing included}
    int room();

    /// Begins a tree; what was grown before is forgotten.
    ///
    /// @param layers what the passes run
    /// @throws dev.outrider.spi.error.OutriderException `CAPABILITY_MISSING` if the target has no such layers
    void begin(LayerSubset layers);

    /// Runs the nodes of a tree that were not run yet. Node i attends to the committed rows and to its ancestors.
    ///
    /// @param tree its first nodes are those that were run, in their order; at least one node is new
    /// @return scores of the new nodes by the layers that ran: the first is of the first node that was not run. The caller closes
    ///     them before the session's next pass
    /// @throws dev.outrider.spi.error.OutriderException `CONTEXT_EXCEEDED`, `TOKEN_OUT_OF_RANGE`
    /// @throws IllegalArgumentException if the tree does not begin with what was run
    /// @throws IllegalStateException    if nothing was begun
    TargetScores grow(TokenTree tree);

    /// Reads committed tokens anew, in one pass: row i attends to the committed rows of the tokens before the first of them, and to rows 0
    /// to i of this pass. The rows are dropped, and what was begun is ended: this tries layers, and drafts nothing.
    ///
    /// @param from   number of committed tokens before the first of them
    /// @param tokens committed tokens from there on, at least one
    /// @param layers what the pass runs
    /// @return for each of the tokens what the layers say follows it. The caller closes them before the session's next pass
    /// @throws dev.outrider.spi.error.OutriderException `CONTEXT_EXCEEDED` if there is no room for them beside the committed rows,
    ///     `TOKEN_OUT_OF_RANGE`, `CAPABILITY_MISSING` if the target has no such layers
    /// @throws IllegalArgumentException if so many tokens were not committed
    TargetScores reread(int from, int[] tokens, LayerSubset layers);
}
