package dev.outrider.drafting.bench;

import java.util.function.LongSupplier;

/// Gives a bench its clock and shows its progress. Confined to one thread.
public interface BenchWatch {
    /// Begins to show a measurement.
    ///
    /// @param count of its turns
    /// @return to be run before every turn, while no native operation runs; what it throws ends the measurement
    Runnable turns(int count);

    /// What times are taken with.
    LongSupplier clock();
}
