package dev.outrider.drafter.medusa;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.tree.TokenTree;
import java.util.Comparator;
import java.util.PriorityQueue;

/// The `totalNodes` nodes with the greatest products of the heads' probabilities along their paths, at most `topK` tokens
/// of each head and `depth` levels. Deterministic, and best first: a child is never more probable than its parent, nor a
/// sibling than the one before it, so both can wait until those are in.
record ProbableTree(TreePlan.Dynamic plan) implements GuessTree {
    /// A node that may be added next.
    ///
    /// @param parent   its parent in the tree
    /// @param above    log probability of the parent's path
    /// @param score    of its own path
    /// @param sequence when it was first thought of, which breaks ties between equals of one depth
    private record Candidate(
            int parent, int depth, int rank, double above, double score, int sequence) {}

    private static final Comparator<Candidate> BEST_FIRST =
            Comparator.comparingDouble((Candidate candidate) -> -candidate.score())
                    .thenComparingInt(Candidate::depth)
                    .thenComparingInt(Candidate::sequence);

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
        int left = Math.min(budget.maxNodes(), plan.totalNodes());
        int deepest = Math.min(budget.maxDepth(), plan.maxDepth());
        var waiting = new PriorityQueue<>(BEST_FIRST);
        int sequence = 0;
        if (deepest > 0) {
            waiting.add(candidate(guesses, 0, 1, 0, 0, sequence++));
        }
        for (var next = waiting.poll(); next != null && left > 0; next = waiting.poll()) {
            int node = tree.add(next.parent(), guesses.tokens()[next.depth() - 1][next.rank()]);
            left--;
            if (next.rank() + 1
                    < Math.min(plan.topK(), guesses.tokens()[next.depth() - 1].length)) {
                waiting.add(
                        candidate(
                                guesses,
                                next.parent(),
                                next.depth(),
                                next.rank() + 1,
                                next.above(),
                                sequence++));
            }
            if (next.depth() < deepest) {
                waiting.add(
                        candidate(guesses, node, next.depth() + 1, 0, next.score(), sequence++));
            }
        }
        return tree.build();
    }

    private static Candidate candidate(
            Guesses guesses, int parent, int depth, int rank, double above, int sequence) {
        double score = above + guesses.scores()[depth - 1][rank];
        return new Candidate(parent, depth, rank, above, score, sequence);
    }
}
