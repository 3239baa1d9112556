package dev.outrider.experiment.stats;

/// Rates for reports: JSON has no NaN, and a rate of nothing is shown as 0.
public final class Finite {
    private Finite() {}

    /// The value, or 0 where it is NaN or infinite.
    public static double orZero(double value) {
        return Double.isFinite(value) ? value : 0;
    }
}
