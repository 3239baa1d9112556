package dev.outrider.drafter.lookup.history;

import dev.outrider.drafting.CallOrder;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Supplier;

/// Drafts from a [HistoryIndex]. Rejected guesses never enter the index, so there is nothing to roll back: the session
/// proposes what a fresh one on the committed tokens would.
///
/// A source is text before the prompt, because summaries copy; its end token is guessed where its end was copied. Between the two
/// stands a token that no vocabulary has: no match reaches across it, and no guess goes on beyond it.
public final class HistorySession implements DraftSession {
    private static final int BORDER = Integer.MAX_VALUE;

    private final Supplier<HistoryIndex> empty;
    private final int[] source;
    private final CallOrder order = new CallOrder();
    private HistoryIndex index;

    /// @param empty  makes an empty index
    /// @param source what the target's encoder reads; may be empty
    public HistorySession(Supplier<HistoryIndex> empty, List<Integer> source) {
        this.empty = empty;
        this.source = source.stream().mapToInt(Integer::intValue).toArray();
        this.index = read();
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        append(prompt);
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        order.propose();
        return new Draft(withinBorder(index.guess(budget)), new Selection.PointMass());
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        append(verdict.emitted(draft.tree()));
    }

    @Override
    public boolean restart(int[] text) {
        order.restart();
        index = read();
        append(text);
        return true;
    }

    @Override
    public void close() {}

    /// An index that knows the source.
    private HistoryIndex read() {
        var fresh = empty.get();
        if (source.length > 0) {
            for (int token : source) {
                fresh.append(token);
            }
            fresh.append(BORDER);
        }
        return fresh;
    }

    private static TokenTree withinBorder(TokenTree tree) {
        if (Arrays.stream(tree.tokens()).noneMatch(token -> token == BORDER)) {
            return tree;
        }
        var within = new LinkedHashSet<Integer>(List.of(0));
        for (int node = 1; node < tree.size(); node++) {
            if (tree.token(node) != BORDER && within.contains(tree.parent(node))) {
                within.add(node);
            }
        }
        return tree.part(List.copyOf(within));
    }

    private void append(int... tokens) {
        for (int token : tokens) {
            index.append(token);
        }
    }
}
