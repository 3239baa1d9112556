package dev.outrider.engine.decode;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;

/// Never proposes anything: plain decoding is the loop with this drafter.
final class IdleDraftSession implements DraftSession {
    private int root;

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        root = prompt[prompt.length - 1];
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        return Draft.empty(root);
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        root = verdict.nextToken();
    }

    @Override
    public void close() {}
}
