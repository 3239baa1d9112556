package dev.outrider.experiment.stats;

/// A median with its 95 % confidence interval.
public record Interval(double median, double low, double high) {}
