package dev.outrider.experiment.recording;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;

/// Trees of guesses that nobody thought about, to time passes of more rows than any draft of the run has: at each node so many children as
/// keep it shallow, tokens from 0 on. Costs nothing to draft. Thread-safe.
///
/// @param nodes of every draft, at least 1
/// @param width children of a node, at most the vocabulary's size
record PaddedDrafts(int nodes, int width) implements Drafter {
    /// Deeper than the trees of 512 nodes, of two children each too.
    static final int DEEPEST = 9;

    private static final int WIDTH = 4;

    /// Drafts that a target can score.
    static PaddedDrafts of(int nodes, int vocabulary) {
        return new PaddedDrafts(nodes, Math.min(WIDTH, vocabulary));
    }

    @Override
    public DrafterTraits traits() {
        return DrafterTraits.tree(nodes, nodes);
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new Session();
    }

    @Override
    public void close() {}

    private final class Session implements DraftSession {
        private int root;

        @Override
        public void begin(int[] prompt, HiddenStates promptStates) {
            root = prompt[prompt.length - 1];
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            var tree = TokenTree.builder(root);
            for (int node = 0; node < Math.min(nodes, budget.maxNodes()); node++) {
                tree.add(node / width, node % width);
            }
            var built = tree.build();
            return built.maxDepth() > budget.maxDepth()
                    ? Draft.empty(root)
                    : new Draft(built, new Selection.PointMass());
        }

        @Override
        public void observe(Draft draft, Verdict verdict, TargetScores scores) {
            root = verdict.nextToken();
        }

        @Override
        public void close() {}
    }
}
