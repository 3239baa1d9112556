package dev.outrider.treeverify.pass;

/// How long a program's kernels run, as the driver says. Off at first, because asking for it takes time. Confined to
/// the program's thread.
public interface KernelClock {
    /// Turns it on or off.
    void measure(boolean on);

    /// Nanoseconds that the kernels of the last run took together; 0 if it was off.
    long nanos();
}
