package dev.outrider.common;

/// What trying other choices may cost beyond the best one: a share of the time spent. It bounds what curiosity loses, whatever is tried.
/// Not thread-safe.
public final class ExplorationBudget {
    private final double share;
    private double spent;
    private double lost;

    /// Nothing was spent yet.
    ///
    /// @param share of the time, in `[0, 1)`
    public ExplorationBudget(double share) {
        this.share = share;
    }

    /// Time has passed, in trials or not.
    public void spend(double nanos) {
        spent += nanos;
    }

    /// Whether a trial may cost so much beyond the best choice.
    public boolean affords(double nanos) {
        return lost + nanos <= share * spent;
    }

    /// A trial has cost so much beyond the best choice, or less than nothing. What trials win is not saved up.
    public void tried(double nanos) {
        lost = Math.max(0, lost + nanos);
    }
}
