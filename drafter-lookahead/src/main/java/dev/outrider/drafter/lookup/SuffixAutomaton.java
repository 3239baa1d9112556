package dev.outrider.drafter.lookup;

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

    /// The labelled edges of an automaton: a hash table by state and token, and a list of each
    /// state's edges for copying. Confined to one thread.
    private static final class Transitions {
        /// Marks a missing edge.
        static final int NONE = -1;

        private int[] firstOfState = new int[64];
        private int[] sources = new int[64];
        private int[] tokens = new int[64];
        private int[] targets = new int[64];
        private int[] nextOfState = new int[64];
        private int[] slots = new int[128];
        private int size;

        Transitions() {
            Arrays.fill(firstOfState, NONE);
            Arrays.fill(slots, NONE);
        }

        /// Returns the target of the edge `token` from `state`, or [#NONE].
        int target(int state, int token) {
            int edge = slots[slot(state, token)];
            return edge == NONE ? NONE : targets[edge];
        }

        /// Adds or changes an edge.
        void put(int state, int token, int target) {
            int slot = slot(state, token);
            if (slots[slot] != NONE) {
                targets[slots[slot]] = target;
                return;
            }
            if (2 * (size + 1) > slots.length) {
                growTable();
                slot = slot(state, token);
            }
            if (size == tokens.length) {
                growEdges();
            }
            growStates(state);
            sources[size] = state;
            tokens[size] = token;
            targets[size] = target;
            nextOfState[size] = firstOfState[state];
            firstOfState[state] = size;
            slots[slot] = size++;
        }

        /// Copies the edges of `original` to `copy`, a state without edges.
        void copy(int original, int copy) {
            growStates(original);
            for (int edge = firstOfState[original]; edge != NONE; edge = nextOfState[edge]) {
                put(copy, tokens[edge], targets[edge]);
            }
        }

        /// Returns the number of edges.
        int size() {
            return size;
        }

        private int slot(int state, int token) {
            int hash = (state * 0x9e3779b1 ^ token) * 0x85ebca6b;
            int slot = (hash ^ hash >>> 16) & slots.length - 1;
            while (slots[slot] != NONE
                    && (sources[slots[slot]] != state || tokens[slots[slot]] != token)) {
                slot = slot + 1 & slots.length - 1;
            }
            return slot;
        }

        private void growTable() {
            slots = new int[2 * slots.length];
            Arrays.fill(slots, NONE);
            for (int edge = 0; edge < size; edge++) {
                slots[slot(sources[edge], tokens[edge])] = edge;
            }
        }

        private void growEdges() {
            sources = Arrays.copyOf(sources, 2 * size);
            tokens = Arrays.copyOf(tokens, 2 * size);
            targets = Arrays.copyOf(targets, 2 * size);
            nextOfState = Arrays.copyOf(nextOfState, 2 * size);
        }

        private void growStates(int state) {
            if (state >= firstOfState.length) {
                int before = firstOfState.length;
                firstOfState = Arrays.copyOf(firstOfState, Math.max(2 * before, state + 1));
                Arrays.fill(firstOfState, before, firstOfState.length, NONE);
            }
        }
    }
}
