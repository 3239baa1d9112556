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
    DraftWithRows grow(
            DraftStepper stepper, int rootToken, TokenHistory committed, DraftBudget budget) {
        var tree = new DraftTreeBuilder(rootToken);
        if (budget.maxNodes() > 0 && budget.maxDepth() > 0) {
            var slots = slots(stepper, committed, budget);
            BestPaths.grow(
                    slots,
                    budget.maxNodes(),
                    score -> stopRule.continuesBelow(Math.exp(score)),
                    tree::add);
        }
        return tree.finish(new Selection.PointMass());
    }

    /// The best tokens of every depth, as deep as the drafter guesses.
    private List<BestPaths.Slot> slots(
            DraftStepper stepper, TokenHistory committed, DraftBudget budget) {
        var slots = new ArrayList<BestPaths.Slot>();
        var logits = stepper.root();
        while (true) {
            reader.read(logits.row(0), committed);
            if (!logits.guessesFrom(0) || !stopRule.guessesFrom(reader::entropy)) {
                return slots;
            }
            int[] top = reader.top(Math.min(topK, budget.maxNodes()));
            double normaliser = reader.logNormaliser();
            var tokens = new int[top.length];
            var scores = new double[top.length];
            for (int rank = 0; rank < top.length; rank++) {
                tokens[rank] = reader.token(top[rank]);
                scores[rank] = Math.min(0, reader.score(top[rank]) - normaliser);
            }
            slots.add(new BestPaths.Slot(tokens, scores));
            if (slots.size() == budget.maxDepth()) {
                return slots;
            }
            logits = stepper.step(List.of(new StepInput(0, StepInput.ROOT, slots.size())));
        }
    }
}
