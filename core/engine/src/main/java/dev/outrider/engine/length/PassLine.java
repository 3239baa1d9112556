package dev.outrider.engine.length;

/// The target's pass as a line over its rows, by least squares. Where rounds of late had one number of rows, what a row adds
/// stays what was learned last; at first it is nothing.
public final class PassLine {
    /// Variance of the rows below which they say nothing of a slope.
    private static final double MIN_VARIANCE = 0.05;

    private final Average rows;
    private final Average times;
    private final Average squares;
    private final Average products;
    private double perRow;

    /// @param memory share of the past that a pass leaves, in `[0, 1)`
    public PassLine(double memory) {
        rows = new Average(memory);
        times = new Average(memory);
        squares = new Average(memory);
        products = new Average(memory);
    }

    /// Learns from a pass.
    ///
    /// @param count its rows
    /// @param time  that it took
    public void add(double count, double time) {
        rows.add(count);
        times.add(time);
        squares.add(count * count);
        products.add(count * time);
        double variance = squares.value() - rows.value() * rows.value();
        if (variance > MIN_VARIANCE) {
            double covariance = products.value() - rows.value() * times.value();
            double highest = times.value() / rows.value();
            perRow = Math.clamp(covariance / variance, 0, highest);
        }
    }

    /// What a row more adds.
    public double perRow() {
        return perRow;
    }

    /// Of a pass of one row.
    public double ofOneRow() {
        return times.value() - perRow * (rows.value() - 1);
    }
}
