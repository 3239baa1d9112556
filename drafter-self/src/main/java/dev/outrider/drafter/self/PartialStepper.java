package dev.outrider.drafter.self;

import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.StepInput;
import dev.outrider.spi.target.PartialPasses;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import java.util.List;
import java.util.Optional;

/// One round's draft steps by some of the target's layers: the root, then the tree level by level.
///
/// Confined to one thread. Close it at the end of the round.
final class PartialStepper implements DraftStepper, AutoCloseable {
    private final PartialPasses passes;
    private final TokenTree.Builder tree;
    private Optional<TargetScores> scores = Optional.empty();

    /// @param passes of which a tree was begun
    /// @param root   the last committed token
    PartialStepper(PartialPasses passes, int root) {
        this.passes = passes;
        this.tree = TokenTree.builder(root);
    }

    @Override
    public LogitRows root() {
        return run();
    }

    /// The node of row r is node r + 1 of the tree.
    @Override
    public LogitRows step(List<StepInput> nodes) {
        nodes.forEach(node -> tree.add(node.parentRow() + 1, node.token()));
        return run();
    }

    private LogitRows run() {
        close();
        var grown = passes.grow(tree.build());
        scores = Optional.of(grown);
        return grown::logits;
    }

    @Override
    public void close() {
        scores.ifPresent(TargetScores::close);
        scores = Optional.empty();
    }
}
