package dev.outrider.drafter.medusa;

import dev.outrider.drafting.CallOrder;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// One sequence. Its whole state is the root and the hidden state of the token before it: the last accepted node of the
/// pass that chose the root. Head 0 therefore guesses the token after the root, depth 1.
///
/// Before the first pass of a prompt of one token there is no such state, and nothing is guessed.
final class MedusaSession implements DraftSession {
    static final HiddenState LAST = LastHidden.STATE;

    private final Heads heads;
    private final GuessTree tree;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment hidden;
    private final CallOrder order = new CallOrder();
    private boolean knowsHidden;
    private boolean closed;
    private int root;

    MedusaSession(Heads heads, GuessTree tree, int hiddenSize) {
        this.heads = heads;
        this.tree = tree;
        hidden = arena.allocate(ValueLayout.JAVA_FLOAT, hiddenSize);
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        root = prompt[prompt.length - 1];
        if (promptStates.size() > 0) {
            take(promptStates, promptStates.size() - 1);
        }
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        order.propose();
        return knowsHidden && budget.maxNodes() > 0 ? guess(budget) : Draft.empty(root);
    }

    private Draft guess(DraftBudget budget) {
        var guesses = heads.guess(hidden, tree.ranks(), tree.readsProbabilities());
        for (int head = 0; head < guesses.scores().length; head++) {
            requireFinite(head, guesses.scores()[head][0]);
        }
        return new Draft(tree.grow(root, guesses, budget), new Selection.PointMass());
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        take(scores, verdict.lastNode());
        root = verdict.nextToken();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            arena.close();
        }
    }

    private void take(HiddenStates states, int index) {
        hidden.copyFrom(states.hidden(LAST, index));
        knowsHidden = true;
    }

    private static void requireFinite(int head, float best) {
        if (!Float.isFinite(best)) {
            throw new OutriderException(
                    ErrorCode.CONTRACT_BROKEN,
                    "the largest logit of Medusa head %d is %s, expected a finite number"
                            .formatted(head, best),
                    "Check the heads' checkpoint for NaN weights, or choose a wider number format"
                            + " for them.");
        }
    }
}
