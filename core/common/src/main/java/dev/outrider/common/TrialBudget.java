package dev.outrider.common;

/// The exploration budget: trials may cost a share of the time beyond the best choice, which limits
/// the loss. Not thread-safe.
public final class TrialBudget {
    private final double share;
    private double spent;
    private double lost;

    /// Starts with nothing spent.
    ///
    /// @param share of the time, in `[0, 1)`
    public TrialBudget(double share) {
        this.share = share;
    }

    /// Records time, in trials or not.
    public void spend(double nanos) {
        spent += nanos;
    }

    /// Returns whether a trial may cost this much beyond the best choice.
    public boolean affords(double nanos) {
        return lost + nanos <= share * spent;
    }

    /// Records the cost of a trial beyond the best choice. A negative cost is not saved for later.
    public void tried(double nanos) {
        lost = Math.max(0, lost + nanos);
    }
}
