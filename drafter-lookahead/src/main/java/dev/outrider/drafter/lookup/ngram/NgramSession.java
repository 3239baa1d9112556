package dev.outrider.drafter.lookup.ngram;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.TokensOnlySession;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.sampling.Randomness;

/// Drafts from a table. What it knows of the sequence are the committed tokens, which only a policy with a repetition
/// penalty reads beyond the last. Confined to one thread.
final class NgramSession extends TokensOnlySession {
    private final NgramDistribution distribution;
    private final TreeExpander expander;

    NgramSession(NgramDistribution distribution, TreeExpander expander) {
        this.distribution = distribution;
        this.expander = expander;
    }

    @Override
    protected Draft guess(CommittedTokens tokens, DraftBudget budget, Randomness randomness) {
        return expander.expand(
                        new NgramStepper(distribution, tokens.root()),
                        tokens.history(),
                        budget,
                        randomness)
                .draft();
    }

    @Override
    public void close() {}
}
