package dev.outrider.drafter.lookup.history;

import dev.outrider.drafting.CallOrder;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.function.Supplier;

/// Drafts from a [HistoryIndex]. Rejected guesses never enter the index, so there is nothing to roll back: the session
/// proposes what a fresh one on the committed tokens would.
public final class HistorySession implements DraftSession {
    private final Supplier<HistoryIndex> empty;
    private final CallOrder order = new CallOrder();
    private HistoryIndex index;

    /// @param empty makes an empty index
    public HistorySession(Supplier<HistoryIndex> empty) {
        this.empty = empty;
        this.index = empty.get();
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        append(prompt);
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        order.propose();
        return new Draft(index.guess(budget), new Selection.PointMass());
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        append(verdict.emitted(draft.tree()));
    }

    @Override
    public boolean restart(int[] text) {
        order.restart();
        index = empty.get();
        append(text);
        return true;
    }

    @Override
    public void close() {}

    private void append(int... tokens) {
        for (int token : tokens) {
            index.append(token);
        }
    }
}
