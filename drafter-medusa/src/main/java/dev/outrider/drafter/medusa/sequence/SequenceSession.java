package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.LastHidden;
import dev.outrider.drafting.CallOrder;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;

/// One sequence: its tokens, and the hidden state of the token before the root. Nothing is kept of a round.
///
/// Before the first pass of a prompt of one token there is no such state, and nothing is guessed.
final class SequenceSession implements DraftSession {
    private final SequenceHeads heads;
    private final TreeExpander expander;
    private final CommittedTokens tokens = new CommittedTokens();
    private final LastHidden hidden = new LastHidden();
    private final CallOrder order = new CallOrder();

    SequenceSession(SequenceHeads heads, TreeExpander expander) {
        this.heads = heads;
        this.expander = expander;
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        tokens.append(prompt);
        hidden.begin(promptStates);
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        order.propose();
        int depth = Math.min(budget.maxDepth(), heads.guesses());
        if (!hidden.known() || depth < 1 || budget.maxNodes() < 1) {
            return Draft.empty(tokens.root());
        }
        var stepper = new SequenceStepper(heads, hidden.values(), tokens.root());
        return expander.expand(
                        stepper,
                        tokens.history(),
                        budget.within(budget.maxNodes(), depth),
                        randomness)
                .draft();
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        hidden.take(scores, verdict.lastNode());
        tokens.append(verdict.emitted(draft.tree()));
    }

    @Override
    public void close() {}
}
