package dev.outrider.common;

/// A clock for durations. The command line uses `System::nanoTime`, tests use simulated clocks.
@FunctionalInterface
public interface Ticker {
    /// Returns nanoseconds since some fixed moment; never decreases.
    long nanos();
}
