package dev.outrider.drafter.lookup.suffix;

import java.util.Arrays;

/// The labelled edges of an automaton: a hash table by state and token, and a list of each state's edges so that they
/// can be copied. Confined to one thread.
final class Transitions {
    /// No such edge.
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

    /// Where `token` leads from `state`; [#NONE] if it leads nowhere.
    int target(int state, int token) {
        int edge = slots[slot(state, token)];
        return edge == NONE ? NONE : targets[edge];
    }

    /// Adds an edge or redirects the one there is.
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

    /// Gives `copy`, a state without edges, the edges of `original`.
    void copy(int original, int copy) {
        growStates(original);
        for (int edge = firstOfState[original]; edge != NONE; edge = nextOfState[edge]) {
            put(copy, tokens[edge], targets[edge]);
        }
    }

    /// Number of edges.
    int size() {
        return size;
    }

    long bytes() {
        return (long) Integer.BYTES * (firstOfState.length + 4L * tokens.length + slots.length);
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
