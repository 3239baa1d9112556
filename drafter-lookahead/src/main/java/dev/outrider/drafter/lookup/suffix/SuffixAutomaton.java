package dev.outrider.drafter.lookup.suffix;

import java.util.Arrays;

/// The suffix automaton of a growing text and, at each moment, the longest suffix of the text that
/// occurred before.
///
/// A state represents the substrings that end at the same positions; the longest has
/// `length(state)` tokens, the first position where they end is `firstEnd(state)`, and
/// `link(state)` represents the next shorter suffixes, which end at more positions. A text of n
/// tokens has at most 2 n states and 3 n edges, and appending takes amortised constant time.
///
/// The match is advanced before the token is inserted, so it never points at itself. Inserting can
/// split the matched state; the match then moves to the half that its length belongs to. Confined
/// to one thread.
///
/// @see "Blumer et al. 1985; Hu et al. 2024 (SAM-Decoding), section 3"
final class SuffixAutomaton {
    /// The state of the empty string.
    static final int ROOT = 0;

    private static final int NO_LINK = -1;

    private final Transitions edges = new Transitions();
    private int[] lengths = new int[64];
    private int[] links = new int[64];
    private int[] firstEnds = new int[64];
    private int states;
    private int whole;
    private int textLength;
    private int match;
    private int matchLength;

    SuffixAutomaton() {
        whole = state(0, NO_LINK, -1);
    }

    /// Appends a token to the text.
    void append(int token) {
        advance(token);
        insert(token);
        while (match != ROOT && matchLength <= lengths[links[match]]) {
            match = links[match];
        }
    }

    /// Returns the state of the longest suffix of the text that occurred before, or [#ROOT].
    int match() {
        return match;
    }

    /// Returns the number of tokens of that suffix.
    int matchLength() {
        return matchLength;
    }

    /// Returns the length of the longest substring of a state.
    int length(int state) {
        return lengths[state];
    }

    /// Returns the state of the next shorter suffixes; not for [#ROOT].
    int link(int state) {
        return links[state];
    }

    /// Returns the index of the last token where the state's substrings first occurred; not for
    /// [#ROOT].
    int firstEnd(int state) {
        return firstEnds[state];
    }

    /// Returns the number of states.
    int states() {
        return states;
    }

    /// Returns the number of edges.
    int edges() {
        return edges.size();
    }

    long bytes() {
        return 3L * Integer.BYTES * lengths.length + edges.bytes();
    }

    private void advance(int token) {
        int next = edges.target(match, token);
        while (next == Transitions.NONE && match != ROOT) {
            match = links[match];
            matchLength = lengths[match];
            next = edges.target(match, token);
        }
        if (next == Transitions.NONE) {
            matchLength = 0;
        } else {
            match = next;
            matchLength++;
        }
    }

    private void insert(int token) {
        int end = textLength++;
        int longer = state(lengths[whole] + 1, ROOT, end);
        int walker = whole;
        whole = longer;
        while (walker != NO_LINK && edges.target(walker, token) == Transitions.NONE) {
            edges.put(walker, token, longer);
            walker = links[walker];
        }
        if (walker == NO_LINK) {
            return;
        }
        int there = edges.target(walker, token);
        if (lengths[there] == lengths[walker] + 1) {
            links[longer] = there;
            return;
        }
        int shorter = state(lengths[walker] + 1, links[there], firstEnds[there]);
        edges.copy(there, shorter);
        links[there] = shorter;
        links[longer] = shorter;
        while (walker != NO_LINK && edges.target(walker, token) == there) {
            edges.put(walker, token, shorter);
            walker = links[walker];
        }
    }

    private int state(int length, int link, int firstEnd) {
        if (states == lengths.length) {
            lengths = Arrays.copyOf(lengths, 2 * states);
            links = Arrays.copyOf(links, 2 * states);
            firstEnds = Arrays.copyOf(firstEnds, 2 * states);
        }
        lengths[states] = length;
        links[states] = link;
        firstEnds[states] = firstEnd;
        return states++;
    }
}
