package dev.outrider.drafter.lookup;

import dev.outrider.drafter.lookup.HistorySession.HistoryIndex;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.tree.TokenTree;
import java.util.Arrays;

/// Finds the longest n-gram at the end of the text that occurred before, and guesses its
/// continuation. Occurrences may overlap the end. With the last occurrence, guesses continue past
/// the end of the text into themselves, which continues a periodic text; with the first one they
/// stop there, as published.
///
/// Appending and guessing take time proportional to `maxNgram`, not to the text. Confined to one
/// thread.
///
/// @see "Saxena 2023: Prompt Lookup Decoding; Yang et al. 2023 (LLMA)"
final class NgramIndex implements HistoryIndex {
    private final PromptLookupConfig config;
    private final CommittedTokens tokens = new CommittedTokens();
    private final NgramPositions[] positions;
    private final HitRates hitRates = new HitRates();
    private int matchLength;
    private int continuation;
    private int evidence;

    NgramIndex(PromptLookupConfig config) {
        this.config = config;
        this.positions = new NgramPositions[config.maxNgram() - config.minNgram() + 1];
        boolean keepsFirst = config.occurrence() == PromptLookupConfig.Occurrence.FIRST;
        for (int i = 0; i < positions.length; i++) {
            positions[i] = new NgramPositions(tokens, config.minNgram() + i, keepsFirst);
        }
    }

    @Override
    public void append(int token) {
        if (matchLength > 0) {
            hitRates.record(evidence, tokens.token(continuation) == token);
        }
        tokens.append(token);
        // The n-grams before this token have a continuation now; those that end with it do not yet.
        for (var ngrams : positions) {
            ngrams.add(tokens.length() - 1);
        }
        match();
    }

    @Override
    public TokenTree guess(DraftBudget budget) {
        int root = tokens.root();
        if (matchLength == 0) {
            return TokenTree.rootOnly(root);
        }
        int most = Math.min(config.length(), budget.maxDepth());
        int known = tokens.length() - continuation;
        if (config.occurrence() == PromptLookupConfig.Occurrence.FIRST) {
            most = Math.min(most, known);
        }
        var guesses = new int[hitRates.worthGuessing(evidence, config.minChance(), most)];
        for (int i = 0; i < guesses.length; i++) {
            guesses[i] = tokens.token(continuation + i % known);
        }
        return TokenTree.chain(root, guesses);
    }

    /// Returns the number of matching tokens before the next guess; 0 for none.
    int matchLength() {
        return matchLength;
    }

    /// Finds the match. It is at least as long as the n-gram. While the text follows one
    /// continuation the match is known to be longer, which is evidence for its guesses.
    private void match() {
        int expected = matchLength > 0 ? continuation + 1 : NgramPositions.NONE;
        matchLength = 0;
        for (int i = positions.length - 1; i >= 0 && matchLength == 0; i--) {
            int found = positions[i].find(tokens.length());
            if (found != NgramPositions.NONE) {
                matchLength = config.minNgram() + i;
                continuation = found;
                evidence = found == expected ? evidence + 1 : matchLength;
            }
        }
    }

    /// The end position of each n-gram of a text, for one n: a hash table that compares the tokens
    /// themselves, so it finds exactly equal n-grams. Confined to one thread.
    private static final class NgramPositions {
        /// Marks a missing n-gram.
        static final int NONE = -1;

        private final CommittedTokens tokens;
        private final int n;
        private final boolean keepsFirst;
        private int[] slots = filled(32);
        private int used;

        /// @param keepsFirst whether a repeated n-gram keeps its first end position
        NgramPositions(CommittedTokens tokens, int n, boolean keepsFirst) {
            this.tokens = tokens;
            this.n = n;
            this.keepsFirst = keepsFirst;
        }

        /// Adds the n-gram before position `end`, if there are enough tokens.
        void add(int end) {
            if (end < n) {
                return;
            }
            if (2 * (used + 1) > slots.length) {
                grow();
            }
            int slot = slotOf(slots, end);
            if (slots[slot] == NONE) {
                slots[slot] = end;
                used++;
            } else if (!keepsFirst) {
                slots[slot] = end;
            }
        }

        /// Returns the end of an added n-gram that equals the one before position `end`, or
        /// [#NONE].
        int find(int end) {
            return end < n ? NONE : slots[slotOf(slots, end)];
        }

        /// Returns the slot of an equal n-gram, or the free slot for it.
        private int slotOf(int[] table, int end) {
            int slot = hash(end) & table.length - 1;
            while (table[slot] != NONE && !same(table[slot], end)) {
                slot = slot + 1 & table.length - 1;
            }
            return slot;
        }

        private boolean same(int oneEnd, int otherEnd) {
            for (int i = 1; i <= n; i++) {
                if (tokens.token(oneEnd - i) != tokens.token(otherEnd - i)) {
                    return false;
                }
            }
            return true;
        }

        private int hash(int end) {
            int hash = n;
            for (int i = 1; i <= n; i++) {
                hash = (hash + tokens.token(end - i)) * 0x9e3779b1;
                hash ^= hash >>> 15;
            }
            return hash;
        }

        private void grow() {
            var larger = filled(2 * slots.length);
            for (int end : slots) {
                if (end != NONE) {
                    larger[slotOf(larger, end)] = end;
                }
            }
            slots = larger;
        }

        private static int[] filled(int size) {
            var table = new int[size];
            Arrays.fill(table, NONE);
            return table;
        }
    }
}
