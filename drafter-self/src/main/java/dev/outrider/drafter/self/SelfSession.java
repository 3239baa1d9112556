package dev.outrider.drafter.self;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.TokensOnlySession;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.PartialPasses;

/// One sequence, drafted for in the target's own cache: committed rows are the target's, and those of a draft go with the round. Whatever
/// becomes of a draft, there is nothing to roll back.
final class SelfSession extends TokensOnlySession {
    private final PartialPasses passes;
    private final LayerChoice choice;
    private final TreePlan plan;
    private final TreeExpander expander;

    /// @param passes   of the target's session
    /// @param choice   which layers
    /// @param plan     shape of the drafts
    /// @param expander grows them
    SelfSession(PartialPasses passes, LayerChoice choice, TreePlan plan, TreeExpander expander) {
        this.passes = passes;
        this.choice = choice;
        this.plan = plan;
        this.expander = expander;
    }

    @Override
    protected Draft guess(CommittedTokens tokens, DraftBudget budget, Randomness randomness) {
        var within = withinRoom(budget);
        if (within.maxDepth() == 0) {
            return Draft.empty(tokens.root());
        }
        passes.begin(choice.choose(tokens, passes));
        try (var stepper = new PartialStepper(passes, tokens.root())) {
            return expander.expand(stepper, tokens.history(), within, randomness).draft();
        }
    }

    /// The target's rows are of one text.
    @Override
    public boolean restart(int[] text) {
        return false;
    }

    @Override
    public void close() {}

    /// The part of a budget for which the target's cache has rows. Only a dynamic tree runs nodes that are not in the draft.
    private DraftBudget withinRoom(DraftBudget budget) {
        int rows = passes.room() - 1;
        int nodes = Math.min(budget.maxNodes(), Math.max(0, rows));
        int depth = Math.min(budget.maxDepth(), nodes);
        if (plan instanceof TreePlan.Dynamic dynamic && nodes > 0) {
            depth = Math.min(depth, 1 + rows / Math.min(dynamic.topK(), nodes));
        }
        return budget.within(nodes, depth);
    }
}
