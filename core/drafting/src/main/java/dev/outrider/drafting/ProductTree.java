package dev.outrider.drafting;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.TokenHistory;
import java.util.ArrayList;
import java.util.List;

/// The most probable nodes of a product of distributions, one for every depth: the best first, by [BestPaths]. A deterministic
/// function of the history.
///
/// @param topK     most children of a node
/// @param reader   of a drafter that ignores the history
/// @param stopRule where to stop short
record ProductTree(int topK, LogitReader reader, StopRule stopRule) {
    GrowingDraft grow(int rootToken, TokenHistory committed, DraftBudget budget) {
        return new Growth(this, rootToken, committed, budget);
    }

    /// One draft. Confined to one thread.
    static final class Growth implements GrowingDraft {
        private final ProductTree construction;
        private final int rootToken;
        private final TokenHistory committed;
        private final DraftBudget budget;
        private final List<BestPaths.Slot> slots = new ArrayList<>();
        private boolean done;

        Growth(
                ProductTree construction,
                int rootToken,
                TokenHistory committed,
                DraftBudget budget) {
            this.construction = construction;
            this.rootToken = rootToken;
            this.committed = committed;
            this.budget = budget;
            this.done = budget.maxNodes() == 0 || budget.maxDepth() == 0;
        }

        @Override
        public boolean done() {
            return done;
        }

        @Override
        public List<StepInput> wanted() {
            return slots.isEmpty()
                    ? List.of()
                    : List.of(new StepInput(0, StepInput.ROOT, slots.size()));
        }

        /// The best tokens of a depth, as deep as the drafter guesses.
        @Override
        public void take(DraftStepper.LogitRows logits) {
            var reader = construction.reader();
            reader.read(logits.row(0), committed);
            if (!logits.guessesFrom(0) || !construction.stopRule().guessesFrom(reader::entropy)) {
                done = true;
                return;
            }
            int[] top = reader.top(Math.min(construction.topK(), budget.maxNodes()));
            double normaliser = reader.logNormaliser();
            var tokens = new int[top.length];
            var scores = new double[top.length];
            for (int rank = 0; rank < top.length; rank++) {
                tokens[rank] = reader.token(top[rank]);
                scores[rank] = Math.min(0, reader.score(top[rank]) - normaliser);
            }
            slots.add(new BestPaths.Slot(tokens, scores));
            done = slots.size() == budget.maxDepth();
        }

        @Override
        public DraftWithRows finish() {
            var tree = new DraftTreeBuilder(rootToken);
            if (!slots.isEmpty()) {
                BestPaths.grow(
                        slots,
                        budget.maxNodes(),
                        score -> construction.stopRule().continuesBelow(Math.exp(score)),
                        tree::add);
            }
            return tree.finish(new Selection.PointMass());
        }
    }
}
