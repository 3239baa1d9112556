package dev.outrider.experiment.run;

/// Follows work of several phases. Called on the running thread.
@FunctionalInterface
public interface Progress {
    /// A step begins.
    ///
    /// @param what the phase, in words
    /// @param done steps of this phase that are over
    /// @param of   steps of this phase in all
    void at(String what, int done, int of);
}
