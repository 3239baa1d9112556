package dev.outrider.spi.target;

import dev.outrider.spi.tree.TokenTree;
import java.util.List;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// A session that can hold undecided rows from one pass to the next, for searches that continue several texts at once (beam
/// search). Tokens that the texts share are scored once. Any other session scores the whole tree again in every pass.
///
/// [#score] and [#commit] drop the held rows.
@API(status = Status.EXPERIMENTAL, since = "3")
public interface ForestSession extends TargetSession {
    /// Scores the nodes of a tree that are not held, in one forward pass.
    ///
    /// @param tree its first nodes are the held nodes, in their order; at least one node is new
    /// @return scores of the new nodes, from the first node that was not held. The caller closes them before the
    ///     next pass
    /// @throws dev.outrider.spi.error.OutriderException `CONTEXT_EXCEEDED`, `TOKEN_OUT_OF_RANGE`
    /// @throws IllegalArgumentException if the tree does not begin with the held nodes
    TargetScores grow(TokenTree tree);

    /// Keeps the rows of some nodes of the tree that was grown last, and drops the others. The nodes above the first of them are
    /// committed: after the call [#length()] has grown by that node's depth, and the next tree's root is that node.
    ///
    /// @param nodes the new root and nodes below it, each after its parent, ascending; at least one
    /// @throws IllegalStateException    if no tree was grown since the last commit
    /// @throws IllegalArgumentException if the nodes are not a tree
    void hold(List<Integer> nodes);
}
