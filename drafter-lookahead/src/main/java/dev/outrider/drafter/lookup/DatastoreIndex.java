package dev.outrider.drafter.lookup;

import dev.outrider.drafter.lookup.Datastore.Chunk.Span;
import dev.outrider.drafter.lookup.HistorySession.HistoryIndex;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

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

    /// The most frequent continuations of a match as a tree, the most frequent node first: the value of
    /// a node is the number of matches that continue with its path. A continuation ends with its
    /// document. Confined to one thread.
    ///
    /// @see "He et al. 2024 (REST), section 3.2"
    static final class Continuations {
        /// Maximum number of groups below one node. A match with more different successors predicts
        /// almost nothing.
        private static final int MAX_GROUPS = 1024;

        private static final Comparator<Candidate> BEST_FIRST =
                Comparator.comparingLong(Candidate::count)
                        .reversed()
                        .thenComparingInt(Candidate::depth)
                        .thenComparingInt(Candidate::parent)
                        .thenComparingInt(Candidate::token);

        private final Datastore store;
        private final int matched;
        private final double least;
        private final PriorityQueue<Candidate> candidates = new PriorityQueue<>(BEST_FIRST);

        /// A candidate for the tree.
        private record Candidate(int parent, int depth, int token, long count, List<Span> spans) {}

        /// @param matched   number of tokens in which the matches agree
        /// @param minChance minimum share of the matches, plus one, that continue with a guess
        Continuations(Datastore store, List<Span> matches, int matched, double minChance) {
            this.store = store;
            this.matched = matched;
            this.least = minChance * (count(matches) + 1);
            offer(0, 0, matches);
        }

        /// Returns the tree below a root.
        ///
        /// @param nodes maximum nodes below the root
        /// @param depth maximum depth
        TokenTree tree(int root, int nodes, int depth) {
            var tree = TokenTree.builder(root);
            while (tree.size() <= nodes && !candidates.isEmpty()) {
                var best = candidates.remove();
                if (best.depth() <= depth) {
                    int node = tree.add(best.parent(), best.token());
                    if (best.token() != store.separator() && best.depth() < depth) {
                        offer(node, best.depth(), best.spans());
                    }
                }
            }
            return tree.build();
        }

        /// Adds the successors of a node to the candidates.
        private void offer(int node, int depth, List<Span> spans) {
            Map<Integer, List<Span>> byToken = new TreeMap<>();
            for (var span : spans) {
                groups(span, matched + depth)
                        .forEach(group ->
                                byToken.computeIfAbsent(
                                                group.chunk().token(group.from(), matched + depth),
                                                _ -> new ArrayList<>())
                                        .add(group));
            }
            byToken.remove(-1);
            byToken.forEach((token, own) -> {
                long count = count(own);
                if (count >= least) {
                    candidates.add(new Candidate(node, depth + 1, token, count, own));
                }
            });
        }

        private static List<Span> groups(Span span, int depth) {
            List<Span> groups = new ArrayList<>();
            int from = span.from();
            while (from < span.to() && groups.size() < MAX_GROUPS) {
                var group = span.chunk().group(from, span.to(), depth);
                groups.add(group);
                from = group.to();
            }
            return groups;
        }

        private static long count(List<Span> spans) {
            return spans.stream().mapToLong(Span::size).sum();
        }
    }
}
