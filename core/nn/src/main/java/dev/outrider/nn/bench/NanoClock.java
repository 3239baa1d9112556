package dev.outrider.nn.bench;

/// A clock that counts nanoseconds from an arbitrary origin.
@FunctionalInterface
public interface NanoClock {
    /// Nanoseconds since the origin.
    long nanos();
}
