package dev.outrider.drafter.lookup.ngram;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.TokensOnlySession;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;

/// Drafts from a table. What it knows of the sequence are the committed tokens, which only a policy with a repetition
/// penalty reads beyond the last. Confined to one thread.
final class NgramSession extends TokensOnlySession {
    private final NgramLaw law;
    private final TreeExpander expander;

    NgramSession(NgramLaw law, TreeExpander expander) {
        this.law = law;
        this.expander = expander;
    }

    @Override
    protected Draft guess(CommittedTokens tokens, DraftBudget budget, Coins coins) {
        return expander.expand(
                        new NgramStepper(law, tokens.root()), tokens.history(), budget, coins)
                .draft();
    }

    @Override
    public void close() {}
}
