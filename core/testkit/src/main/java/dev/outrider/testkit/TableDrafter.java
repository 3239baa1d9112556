package dev.outrider.testkit;

import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.TreeShape;

/// A drafter whose distribution is a [TableModel], after a source if there is one
/// ([TableModel#after]).
///
/// @param model  the table
/// @param plan   any except a dynamic one, which is refused; a plan with only one child per node is
///     a chain
/// @param policy the drafter's own sampling
public record TableDrafter(TableModel model, TreePlan plan, SamplingPolicy policy)
        implements Drafter {
    @Override
    public DrafterTraits traits() {
        var shape = plan.maxNodes() == plan.maxDepth() ? TreeShape.CHAIN : TreeShape.TREE;
        return DrafterTraits.following(plan, policy.greedy()).shaped(shape);
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new TableDraftSession(model.after(request.source()), plan, policy);
    }

    @Override
    public void close() {}
}
