package dev.outrider.drafting.head;

import dev.outrider.common.Require;
import dev.outrider.drafting.CallOrder;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;

/// A session of a drafter that reads hidden states of the target.
///
/// It stores the committed tokens, checks the order of calls, and passes the state of every committed position, in
/// order, to [#read], with the token that follows it. Confined to one thread.
public abstract class HeadSession implements DraftSession {
    private final CallOrder order = new CallOrder();
    private final CommittedTokens tokens = new CommittedTokens();

    protected HeadSession() {}

    /// Takes the states of one committed position.
    ///
    /// @param states valid during the call
    /// @param index  of the position within `states`
    /// @param next   the token after that position
    protected abstract void read(HiddenStates states, int index, int next);

    /// Returns the greatest depth that a draft can have now; below 1 there is no draft.
    protected abstract int depth();

    /// Returns a draft. It is called only if the budget has room for a node and [#depth()] is at least 1.
    ///
    /// @param budget at most as deep as [#depth()]
    protected abstract Draft guess(DraftBudget budget, Randomness randomness);

    /// Returns the committed tokens, the root last.
    protected final CommittedTokens tokens() {
        return tokens;
    }

    /// Returns the draft that an expander grows below the root.
    protected final Draft expand(
            TreeExpander expander,
            DraftStepper stepper,
            DraftBudget budget,
            Randomness randomness) {
        return expander.expand(stepper, tokens.history(), budget, randomness).draft();
    }

    @Override
    public final void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        tokens.append(prompt);
        Require.that(
                promptStates.size() == prompt.length - 1,
                "%d states for a prompt of %d tokens; expected those of all but the last",
                promptStates.size(),
                prompt.length);
        for (int position = 0; position < promptStates.size(); position++) {
            read(promptStates, position, prompt[position + 1]);
        }
    }

    @Override
    public final Draft propose(DraftBudget budget, Randomness randomness) {
        order.propose();
        int depth = Math.min(budget.maxDepth(), depth());
        return depth < 1
                ? Draft.empty(tokens.root())
                : guess(new DraftBudget(budget.maxNodes(), depth), randomness);
    }

    @Override
    public final void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        int[] emitted = verdict.emitted(draft.tree());
        int node = 0;
        for (int index = 0; index < emitted.length; index++) {
            read(scores, node, emitted[index]);
            if (index < verdict.acceptedLength()) {
                node = verdict.acceptedNodes().get(index);
            }
        }
        tokens.append(emitted);
    }
}
