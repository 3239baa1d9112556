package dev.outrider.treeverify.pass;

import dev.outrider.treeverify.pass.DeviceNetwork.RowPool;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/// No two sequences get the same cache row. The model checker runs the schedules of two
/// threads at the level of single reads and writes.
public class RowPoolThreadsTest {
    private final RowPool pool = new RowPool(40);

    /// {@return the first of two rows}
    @Operation
    public int take() {
        return pool.take(2);
    }

    /// Gives the first two rows back, whether they are in use or not.
    @Operation
    public void release() {
        pool.release(0);
    }

    @Test
    void everyScheduleOfTwoThreadsKeepsRunsApart() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(3)
                .invocationsPerIteration(60)
                .check(getClass());
    }
}
