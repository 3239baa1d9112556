package dev.outrider.testkit;

import dev.outrider.engine.check.ForwardingDrafter;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.TreeShape;

/// A drafter whose drafts get unverified nodes besides: below every node, one for every token. A rule that
/// accepted any of them would be found out, for they hold whatever the target may say.
///
/// Their numbers come after those of the drafter's own nodes, so distributions and verdicts mean the same.
///
/// @param drafter    whose drafts they are
/// @param vocabulary number of tokens
record WindowedDrafter(Drafter drafter, int vocabulary) implements ForwardingDrafter {
    @Override
    public DrafterTraits traits() {
        var own = drafter.traits();
        return own.shaped(TreeShape.TREE)
                .within(own.maxNodes() + (own.maxNodes() + 1) * vocabulary, own.maxDepth());
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new WrappedDrafter.Session(drafter.open(request)) {
            @Override
            public Draft propose(DraftBudget budget, Randomness randomness) {
                var own = drafter.traits().fullBudget();
                int depth = Math.min(budget.maxDepth(), own.maxDepth());
                return windowed(
                        super.propose(
                                new DraftBudget(depth == 0 ? 0 : own.maxNodes(), depth),
                                randomness));
            }
        };
    }

    private Draft windowed(Draft draft) {
        var own = draft.tree();
        var tree = TokenTree.builder(own.token(0));
        for (int node = 1; node < own.size(); node++) {
            tree.add(own.parent(node), own.token(node));
        }
        for (int node = 0; node < own.size(); node++) {
            for (int token = 0; token < vocabulary; token++) {
                tree.addUnverified(node, token);
            }
        }
        return new Draft(tree.build(), draft.selection());
    }
}
