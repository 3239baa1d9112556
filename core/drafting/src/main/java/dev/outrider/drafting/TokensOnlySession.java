package dev.outrider.drafting;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;

/// A session whose only state is the committed tokens, so that a verdict needs no rollback.
///
/// Tokens are recorded when they come, and read when a draft is asked for: a sequence without drafts has no further cost
/// (docs/decisions/0084-drafters-read-missed-tokens-when-asked.md).
///
/// Confined to one thread.
public abstract class TokensOnlySession implements DraftSession, TokenReader {
    private final CallOrder order = new CallOrder();
    private CommittedTokens tokens = new CommittedTokens();

    /// A session without tokens.
    protected TokensOnlySession() {}

    /// Guesses the tokens after the last committed token. Called only if there is room for a guess; reads the tokens that were
    /// committed since the last call.
    ///
    /// @param tokens all committed tokens, the root last
    protected abstract Draft guess(
            CommittedTokens tokens, DraftBudget budget, Randomness randomness);

    @Override
    public final void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        tokens.append(prompt);
    }

    @Override
    public final Draft propose(DraftBudget budget, Randomness randomness) {
        order.propose();
        return budget.maxNodes() == 0
                ? Draft.empty(tokens.root())
                : guess(tokens, budget, randomness);
    }

    @Override
    public final void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        tokens.append(verdict.emitted(draft.tree()));
    }

    @Override
    public final void note(int... more) {
        order.note();
        tokens.append(more);
    }

    /// Continues with any text. A drafter that reads more than the tokens must override it and return false.
    @Override
    public boolean restart(int[] text) {
        order.restart();
        tokens = new CommittedTokens();
        tokens.append(text);
        return true;
    }

    /// Does nothing: the tokens need no release. A subclass with other resources overrides it.
    @Override
    public void close() {}
}
