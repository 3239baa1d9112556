package dev.outrider.drafter.lookup;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.TokensOnlySession;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TokenTree;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Supplier;

/// Drafts from a [HistoryIndex]. Rejected guesses never enter the index, so there is nothing to roll back: the session
/// proposes what a fresh one on the committed tokens would.
///
/// A source is text before the prompt, because summaries copy; its end token is guessed where its end was copied. Between the two
/// stands a token that no vocabulary has: no match reaches across it, and no guess goes on beyond it.
final class HistorySession extends TokensOnlySession {
    private static final int BORDER = Integer.MAX_VALUE;

    private final Supplier<HistoryIndex> empty;
    private final int[] source;
    private HistoryIndex index;
    private int read;

    /// @param empty  makes an empty index
    /// @param source what the target's encoder reads; may be empty
    public HistorySession(Supplier<HistoryIndex> empty, List<Integer> source) {
        this.empty = empty;
        this.source = source.stream().mapToInt(Integer::intValue).toArray();
        this.index = ofSource();
    }

    @Override
    protected Draft guess(CommittedTokens tokens, DraftBudget budget, Randomness randomness) {
        for (; read < tokens.length(); read++) {
            index.append(tokens.token(read));
        }
        return new Draft(withinBorder(index.guess(budget)), new Selection.PointMass());
    }

    @Override
    public boolean restart(int[] text) {
        boolean goesOn = super.restart(text);
        index = ofSource();
        read = 0;
        return goesOn;
    }

    @Override
    public void close() {}

    /// An index that knows the source.
    private HistoryIndex ofSource() {
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
}
