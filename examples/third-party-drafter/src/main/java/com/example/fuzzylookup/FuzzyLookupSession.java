package com.example.fuzzylookup;

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

/// Looks one sequence's tokens up in itself. Confined to one thread; remembers the tokens so far.
final class FuzzyLookupSession implements DraftSession {
    private final FuzzyLookupConfig config;
    private int[] tokens;
    private int length;

    /// @param capacity most tokens the sequence can reach
    FuzzyLookupSession(FuzzyLookupConfig config, int capacity) {
        this.config = config;
        this.tokens = new int[capacity];
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        for (int token : prompt) {
            add(token);
        }
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        var tree = TokenTree.builder(tokens[length - 1]);
        int depth = Math.min(budget.maxDepth(), config.length());
        int from = depth == 0 ? length : continuation();
        for (int index = from; index < length && tree.size() <= depth; index++) {
            tree.add(tree.size() - 1, tokens[index]);
        }
        return new Draft(tree.build(), new Selection.PointMass());
    }

    /// Puts what was accepted, and the token after it, to the text. Nothing else is remembered, so nothing has to be
    /// rolled back.
    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        for (int token : verdict.emitted(draft.tree())) {
            add(token);
        }
    }

    @Override
    public void close() {}

    /// Index of the token after the place that ends most like the text does, the latest among equals; `length` if there
    /// is none with few enough mismatches.
    private int continuation() {
        int best = length;
        int fewest = config.mismatches() + 1;
        for (int end = length - 2; end >= 0 && fewest > 0; end--) {
            int mismatches = mismatches(end, fewest);
            if (mismatches < fewest) {
                best = end + 1;
                fewest = mismatches;
            }
        }
        return best;
    }

    /// Tokens that differ between the window that ends at `end` and the last window of the text, counted up to `enough`.
    private int mismatches(int end, int enough) {
        if (tokens[end] != tokens[length - 1]) {
            return enough;
        }
        int mismatches = 0;
        for (int back = 1; back < config.window() && mismatches < enough; back++) {
            if (end - back < 0 || tokens[end - back] != tokens[length - 1 - back]) {
                mismatches++;
            }
        }
        return mismatches;
    }

    private void add(int token) {
        if (length == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * length);
        }
        tokens[length++] = token;
    }
}
