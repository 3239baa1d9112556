package dev.outrider.common;

import java.util.function.IntSupplier;

/// Keeps a choice for some rounds. The first round of another choice finds other data in the
/// caches, so its time is not typical. Confined to one thread.
public final class StickyChoice {
    private final int rounds;
    private int choice = -1;
    private int left;
    private boolean changed;

    /// Starts without a choice.
    ///
    /// @param rounds that keep a choice, at least 1
    public StickyChoice(int rounds) {
        this.rounds = rounds;
    }

    /// Returns the choice of the next round.
    ///
    /// @param decide called when the choice is made again; its results are not negative
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

    /// Keeps the choice that is being made for this many rounds. Called by `decide`.
    public void keep(int longer) {
        left = longer;
    }

    /// Returns whether the time of the last round is typical for its choice: only if the round
    /// before had the same choice.
    public boolean settled() {
        return !changed;
    }

    /// Returns the rounds that keep a choice.
    public int rounds() {
        return rounds;
    }
}
