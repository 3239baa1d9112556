package dev.outrider.drafter.lookup;

import dev.outrider.drafter.lookup.Chunk.Span;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.tree.TokenTree;
import java.util.Arrays;
import java.util.List;

/// Guesses the continuation of the longest suffix of the text that a datastore contains. Keeps only
/// as much of the text as can match. Confined to one thread.
final class DatastoreIndex implements HistoryIndex {
    private final Datastore store;
    private final DatastoreConfig config;
    private int[] recent = {};

    DatastoreIndex(Datastore store, DatastoreConfig config) {
        this.store = store;
        this.config = config;
    }

    @Override
    public void append(int token) {
        int kept = Math.min(recent.length, config.maxMatch() - 1);
        var next = Arrays.copyOfRange(recent, recent.length - kept, recent.length + 1);
        next[kept] = token;
        recent = next;
    }

    @Override
    public TokenTree guess(DraftBudget budget) {
        int root = recent[recent.length - 1];
        int matched = longestMatch();
        int depth = Math.min(config.depth(), budget.maxDepth());
        int nodes = Math.min(config.nodes(), budget.maxNodes());
        if (matched < config.minMatch() || depth == 0) {
            return TokenTree.rootOnly(root);
        }
        return new Continuations(store, find(matched), matched, config.minChance())
                .tree(root, nodes, depth);
    }

    @Override
    public long bytes() {
        return (long) Integer.BYTES * recent.length;
    }

    /// If a suffix occurs, every shorter one does, so the longest is found by bisection.
    private int longestMatch() {
        int found = 0;
        int beyond = recent.length + 1;
        while (beyond - found > 1) {
            int tried = (found + beyond) >>> 1;
            if (find(tried).isEmpty()) {
                beyond = tried;
            } else {
                found = tried;
            }
        }
        return found;
    }

    private List<Span> find(int length) {
        return store.find(recent, length);
    }
}
