package dev.outrider.drafter.lookup;

import dev.outrider.drafter.lookup.HistorySession.HistoryIndex;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.tree.TokenTree;

/// Guesses the continuation of the longest suffix that occurred before, at its first occurrence.
///
/// A match of m tokens is continued by at most `1 + 4 m` tokens. If fewer follow its first
/// occurrence, shorter suffixes are tried, whose first occurrence is earlier. With several
/// branches, the continuations of shorter and shorter suffixes are added to the tree; common parts
/// are one path. Confined to one thread.
///
/// @see "Hu et al. 2024 (SAM-Decoding), section 3.2"
final class SuffixIndex implements HistoryIndex {
    /// Maximum memory of an indexed token in bytes: 2 states, 3 edges and the table, each up to
    /// doubled by growth.
    static final int MAX_BYTES_PER_TOKEN = 256;

    private static final int TRIES_PER_BRANCH = 4;

    private final SuffixAutomatonConfig config;
    private final CommittedTokens tokens = new CommittedTokens();
    private final SuffixAutomaton automaton = new SuffixAutomaton();
    private final HitRates hitRates = new HitRates();

    SuffixIndex(SuffixAutomatonConfig config) {
        this.config = config;
    }

    @Override
    public void append(int token) {
        if (automaton.matchLength() >= config.minMatch()) {
            int guessed = tokens.token(automaton.firstEnd(automaton.match()) + 1);
            hitRates.record(automaton.matchLength(), guessed == token);
        }
        tokens.append(token);
        automaton.append(token);
    }

    @Override
    public TokenTree guess(DraftBudget budget) {
        var paths = new MergedPaths(tokens.root(), budget.maxNodes());
        int state = automaton.match();
        int matched = automaton.matchLength();
        int tries = TRIES_PER_BRANCH * config.branches();
        for (int branches = 0; branches < config.branches() && tries > 0; tries--) {
            int wanted = matched < config.minMatch() ? 0 : wanted(matched, budget);
            if (wanted == 0) {
                break;
            }
            state = withEnough(state, wanted);
            int start = automaton.firstEnd(state) + 1;
            int end = Math.min(tokens.length(), start + wanted);
            if (paths.add(tokens.range(start, end))) {
                branches++;
            }
            state = automaton.link(state);
            matched = automaton.length(state);
        }
        return paths.tree();
    }

    @Override
    public long bytes() {
        return tokens.bytes() + automaton.bytes();
    }

    private int wanted(int matched, DraftBudget budget) {
        int published = 1 + 4 * Math.min(matched, config.length());
        int most = Math.min(Math.min(config.length(), published), budget.maxDepth());
        return hitRates.worthGuessing(matched, config.minChance(), most);
    }

    /// Returns the first of a state and its suffixes of at least `minMatch` tokens whose first
    /// occurrence is followed by `wanted` tokens; the shortest of them if none is.
    private int withEnough(int state, int wanted) {
        int found = state;
        while (tokens.length() - 1 - automaton.firstEnd(found) < wanted
                && automaton.length(automaton.link(found)) >= config.minMatch()) {
            found = automaton.link(found);
        }
        return found;
    }

    /// A tree made of paths from the root; common beginnings are stored once. Confined to one
    /// thread.
    private static final class MergedPaths {
        private final TokenTree.Builder tree;
        private final int[] tokens;
        private final int[] parents;

        /// @param maxNodes maximum nodes below the root
        MergedPaths(int rootToken, int maxNodes) {
            this.tree = TokenTree.builder(rootToken);
            this.tokens = new int[maxNodes + 1];
            this.parents = new int[maxNodes + 1];
        }

        /// Adds a path as far as there is room; returns whether any node of it is new.
        boolean add(int[] path) {
            int before = tree.size();
            int node = 0;
            for (int token : path) {
                int child = tree.size() > before ? 0 : child(node, token);
                if (child == 0) {
                    if (tree.size() == tokens.length) {
                        break;
                    }
                    child = tree.add(node, token);
                    tokens[child] = token;
                    parents[child] = node;
                }
                node = child;
            }
            return tree.size() > before;
        }

        TokenTree tree() {
            return tree.build();
        }

        /// Returns the child of `node` with a token; 0, which is no child, if there is none.
        private int child(int node, int token) {
            for (int child = node + 1; child < tree.size(); child++) {
                if (parents[child] == node && tokens[child] == token) {
                    return child;
                }
            }
            return 0;
        }
    }
}
