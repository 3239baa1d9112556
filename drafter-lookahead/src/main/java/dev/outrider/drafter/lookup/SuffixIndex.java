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
        var tree = TokenTree.builder(tokens.root());
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
            branches += addPath(tree, tokens.range(start, end), budget.maxNodes()) ? 1 : 0;
            state = automaton.link(state);
            matched = automaton.length(state);
        }
        return tree.build();
    }

    /// Adds a path from the root as far as there is room; returns whether any node of it is new.
    private static boolean addPath(TokenTree.Builder tree, int[] path, int maxNodes) {
        int before = tree.size();
        int node = 0;
        for (int index = 0; index < path.length && tree.size() <= maxNodes; index++) {
            node = tree.addDistinct(node, path[index]);
        }
        return tree.size() > before;
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
}
