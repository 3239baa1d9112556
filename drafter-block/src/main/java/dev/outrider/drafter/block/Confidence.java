package dev.outrider.drafter.block;

import java.util.Arrays;
import java.util.List;

/// Where a draft ends, by the confidence head: before a guess that is thought less likely than the threshold, or that is, with all
/// guesses before it, less likely than its row costs. Reads the tokens before a guess, never the guess (docs/reference/algorithms.md I1).
/// Without a head, or with neither limit, drafts never end here.
final class Confidence {
    private static final Chance ALWAYS = new Chance(1, true);

    private final BlockDraft draft;
    private final double rowCost;

    /// @param rowCost as the budget has it
    Confidence(BlockDraft draft, double rowCost) {
        this.draft = draft;
        this.rowCost = rowCost;
    }

    /// What is thought of a guess.
    ///
    /// @param ofAll    chance that it and all guesses before it are accepted
    /// @param suffices whether it is to be made
    record Chance(double ofAll, boolean suffices) {}

    /// What is thought of the guesses that follow tokens.
    ///
    /// @param before of each token, what is thought of the guesses up to it
    /// @param states of the block, `[slots, hiddenSize]`
    /// @param slot   whose guesses
    Chance[] after(int[] tokens, List<BlockStepper.Row> before, float[] states, int slot) {
        var chances = new Chance[tokens.length];
        double threshold = draft.drafting().acceptanceThreshold();
        if (draft.confidence().isEmpty() || threshold == 0 && rowCost == 0) {
            Arrays.fill(chances, ALWAYS);
            return chances;
        }
        var head = draft.confidence().get();
        int hiddenSize = draft.backbone().config().hiddenSize();
        for (int row = 0; row < tokens.length; row++) {
            double own = head.acceptance(states, slot, hiddenSize, draft.markov(), tokens[row]);
            double all = own * before.get(row).chance();
            chances[row] = new Chance(all, own >= threshold && all >= rowCost);
        }
        return chances;
    }
}
