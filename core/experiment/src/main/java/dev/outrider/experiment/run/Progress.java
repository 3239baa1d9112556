package dev.outrider.experiment.run;

/// Follows work of several phases. Called on the running thread; closed at the end of the work.
@FunctionalInterface
public interface Progress extends AutoCloseable {
    /// The number of steps of a phase whose steps cannot be counted.
    int UNKNOWN = -1;

    /// A step begins.
    ///
    /// @param what name of the phase
    /// @param done steps of this phase that are over
    /// @param of   steps of this phase in all
    void at(String what, int done, int of);

    @Override
    default void close() {}
}
