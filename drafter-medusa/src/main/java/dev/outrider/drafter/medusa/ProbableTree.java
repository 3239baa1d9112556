package dev.outrider.drafter.medusa;

import dev.outrider.drafting.BestPaths;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.tree.TokenTree;
import java.util.List;
import java.util.stream.IntStream;

/// The `totalNodes` nodes with the greatest products of the heads' probabilities along their paths, at most `topK` tokens
/// of each head and `depth` levels. Deterministic, and best first ([BestPaths]).
record ProbableTree(TreePlan.Dynamic plan) implements GuessTree {
    @Override
    public int ranks() {
        return plan.topK();
    }

    @Override
    public boolean readsProbabilities() {
        return true;
    }

    @Override
    public TokenTree grow(int rootToken, Guesses guesses, DraftBudget budget) {
        var tree = TokenTree.builder(rootToken);
        int deepest = Math.min(budget.maxDepth(), plan.maxDepth());
        BestPaths.grow(
                slots(guesses, deepest),
                Math.min(budget.maxNodes(), plan.totalNodes()),
                _ -> true,
                tree::add);
        return tree.build();
    }

    private List<BestPaths.Slot> slots(Guesses guesses, int deepest) {
        return IntStream.range(0, deepest).mapToObj(head -> slot(guesses, head)).toList();
    }

    private BestPaths.Slot slot(Guesses guesses, int head) {
        int ranks = Math.min(plan.topK(), guesses.tokens()[head].length);
        return new BestPaths.Slot(
                IntStream.range(0, ranks).map(rank -> guesses.tokens()[head][rank]).toArray(),
                IntStream.range(0, ranks)
                        .mapToDouble(rank -> guesses.scores()[head][rank])
                        .toArray());
    }
}
