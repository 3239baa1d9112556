package dev.outrider.engine.length;

/// An exponential average whose first values are not biased towards zero.
public final class Average {
    private final double memory;
    private double sum;
    private double weight;

    /// @param memory share of the past that a value leaves, in `[0, 1)`
    public Average(double memory) {
        this.memory = memory;
    }

    /// Adds a value.
    public void add(double value) {
        sum = memory * sum + value;
        weight = memory * weight + 1;
    }

    /// The average; NaN of no values.
    public double value() {
        return sum / weight;
    }
}
