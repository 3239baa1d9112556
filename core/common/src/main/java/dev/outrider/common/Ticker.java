package dev.outrider.common;

/// A clock for durations. The command line passes `System::nanoTime`, tests pass what they like.
@FunctionalInterface
public interface Ticker {
    /// Nanoseconds since some fixed moment; never runs backwards.
    long nanos();
}
