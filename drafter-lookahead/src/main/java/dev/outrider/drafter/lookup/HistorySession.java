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

/// Drafts from a [HistoryIndex]. Rejected guesses never enter the index, so nothing is rolled back:
/// the session proposes what a new one with the committed tokens would.
///
/// A source is text before the prompt, because summaries copy it; its end token may be guessed
/// after copied text. Between the two is a token outside of every vocabulary: no match and no guess
/// crosses it.
final class HistorySession extends TokensOnlySession {
    private static final int BORDER = Integer.MAX_VALUE;

    private final Supplier<HistoryIndex> empty;
    private final int[] source;
    private HistoryIndex index;
    private int read;

    /// @param empty  creates an empty index
    /// @param source input of the target's encoder; may be empty
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

    /// Returns an index of the source.
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

    /// Guesses the continuation of a sequence from the sequence alone: the same tokens give the same
    /// guesses, independent of earlier guesses and rejections. Confined to one thread.
    public interface HistoryIndex {
        /// Adds a committed token. Amortised time does not grow with the length of the sequence.
        void append(int token);

        /// Returns guesses after the last token.
        ///
        /// @param budget limits of the tree
        /// @return a tree whose root is the last token; the root alone if there is no guess
        TokenTree guess(DraftBudget budget);
    }
}
