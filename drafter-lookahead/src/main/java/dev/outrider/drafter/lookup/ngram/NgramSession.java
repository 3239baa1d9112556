package dev.outrider.drafter.lookup.ngram;

import dev.outrider.drafter.lookup.history.TokenLog;
import dev.outrider.nn.draft.TreeExpander;
import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.Verdict;
import java.util.Optional;

/// Drafts from a table. What it knows of the sequence are the committed tokens, which only a policy with a repetition
/// penalty reads beyond the last. Confined to one thread.
final class NgramSession implements DraftSession {
    private final NgramLaw law;
    private final TreeExpander expander;
    private final TokenLog tokens = new TokenLog();
    private Optional<TokenTree> undecided = Optional.empty();

    NgramSession(NgramLaw law, TreeExpander expander) {
        this.law = law;
        this.expander = expander;
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        if (tokens.length() > 0) {
            throw new IllegalStateException("the session has begun already");
        }
        append(prompt);
    }

    @Override
    public Draft propose(DraftBudget budget, Coins coins) {
        if (tokens.length() == 0) {
            throw new IllegalStateException("propose comes after begin");
        }
        var draft =
                expander.expand(
                                new NgramStepper(law, tokens.last()),
                                tokens.history(),
                                budget,
                                coins)
                        .draft();
        undecided = Optional.of(draft.tree());
        return draft;
    }

    @Override
    public void observe(Verdict verdict, TargetScores scores) {
        var tree =
                undecided.orElseThrow(
                        () -> new IllegalStateException("observe comes after propose"));
        undecided = Optional.empty();
        append(verdict.emitted(tree));
    }

    @Override
    public void close() {}

    private void append(int... more) {
        for (int token : more) {
            tokens.append(token);
        }
    }
}
