package dev.outrider.drafter.lookup.prompt;

import dev.outrider.drafting.CommittedTokens;
import java.util.Arrays;

/// Where each n-gram of a text ends, for one n: a hash table of end positions that compares the tokens themselves, so it
/// finds exactly the n-grams that are equal. Confined to one thread.
final class NgramPositions {
    /// No such n-gram.
    static final int NONE = -1;

    private final CommittedTokens tokens;
    private final int n;
    private final boolean keepsFirst;
    private int[] slots = filled(32);
    private int used;

    /// @param keepsFirst whether an n-gram that occurs again keeps its first end or takes the new one
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

    /// The end of an added n-gram that equals the one before position `end`; [#NONE] without one.
    int find(int end) {
        return end < n ? NONE : slots[slotOf(slots, end)];
    }

    long bytes() {
        return (long) Integer.BYTES * slots.length;
    }

    /// The slot that holds an equal n-gram, or the free one where it belongs.
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
