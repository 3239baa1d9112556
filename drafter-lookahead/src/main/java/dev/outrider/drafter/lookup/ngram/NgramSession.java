package dev.outrider.drafter.lookup.ngram;

import dev.outrider.drafting.CallOrder;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.Verdict;

/// Drafts from a table. What it knows of the sequence are the committed tokens, which only a policy with a repetition
/// penalty reads beyond the last. Confined to one thread.
final class NgramSession implements DraftSession {
    private final NgramLaw law;
    private final TreeExpander expander;
    private final CommittedTokens tokens = new CommittedTokens();
    private final CallOrder<TokenTree> order = new CallOrder<>();

    NgramSession(NgramLaw law, TreeExpander expander) {
        this.law = law;
        this.expander = expander;
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        tokens.append(prompt);
    }

    @Override
    public Draft propose(DraftBudget budget, Coins coins) {
        order.requireBegun();
        var draft =
                expander.expand(
                                new NgramStepper(law, tokens.root()),
                                tokens.history(),
                                budget,
                                coins)
                        .draft();
        order.propose(draft.tree());
        return draft;
    }

    @Override
    public void observe(Verdict verdict, TargetScores scores) {
        var tree = order.observe();
        tokens.append(verdict.emitted(tree));
    }

    @Override
    public void close() {}
}
