package dev.outrider.common;

import java.util.function.IntSupplier;

/// Keeps a choice for some rounds before it is thought over. The first round of another choice finds caches full of other things, and its
/// time says nothing of the choice. Confined to one thread.
public final class StickyChoice {
    private final int rounds;
    private int choice = -1;
    private int left;
    private boolean changed;

    /// Has chosen nothing yet.
    ///
    /// @param rounds that keep a choice, at least 1
    public StickyChoice(int rounds) {
        this.rounds = rounds;
    }

    /// The choice of the next round.
    ///
    /// @param decide asked when it is thought over; its answers are not negative
    public int next(IntSupplier decide) {
        changed = false;
        if (left == 0) {
            int before = choice;
            left = rounds;
            choice = decide.getAsInt();
            changed = choice != before;
        }
        left--;
        return choice;
    }

    /// Keeps the choice that is being made for so many rounds. Called while it is decided.
    public void keep(int longer) {
        left = longer;
    }

    /// Whether the time of the round chosen for last says what such rounds take: only if the one before had the same choice.
    public boolean settled() {
        return !changed;
    }

    /// Rounds that keep a choice.
    public int rounds() {
        return rounds;
    }
}
