package com.example.retrieval;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;

/// Looks one sequence's last tokens up. Confined to one thread; remembers the tokens so far, so that nothing has to be rolled
/// back.
final class RetrievalSession implements DraftSession {
    private final RetrievalConfig config;
    private final Datastore datastore;
    private final int[] text;
    private int length;

    /// @param capacity most tokens the sequence can reach
    RetrievalSession(RetrievalConfig config, Datastore datastore, int capacity) {
        this.config = config;
        this.datastore = datastore;
        this.text = new int[capacity];
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        for (int token : prompt) {
            text[length++] = token;
        }
    }

    /// A tree of what followed the last tokens in the datastore. Continuations that begin alike share their nodes.
    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        var tree = TokenTree.builder(text[length - 1]);
        int depth = Math.min(budget.maxDepth(), config.length());
        var places = datastore.after(text, length);
        for (int place : places.subList(0, Math.min(places.size(), config.continuations()))) {
            int node = 0;
            for (int token : datastore.from(place, depth)) {
                if (tree.size() <= budget.maxNodes()) {
                    node = tree.addDistinct(node, token);
                }
            }
        }
        return new Draft(tree.build(), new Selection.PointMass());
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        for (int token : verdict.emitted(draft.tree())) {
            text[length++] = token;
        }
    }

    @Override
    public void close() {}
}
