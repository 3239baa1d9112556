package dev.outrider.engine.decode;

import dev.outrider.spi.Randomness;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.Verdict;

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
