package dev.outrider.treeverify.pass;

import dev.outrider.spi.OutriderException;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/// No two sequences get the same cache row, and what one gives back another can have. The model checker runs the schedules of two
/// threads at the level of single reads and writes.
public class RowPoolThreadsTest {
    private static final int NONE = -1;

    private final RowPool pool = new RowPool(5);

    /// {@return the first of two rows; [#NONE] if there are no two}
    @Operation
    public int take() {
        try {
            return pool.take(2);
        } catch (OutriderException e) {
            return NONE;
        }
    }

    /// {@return the first of two rows, which are given back; [#NONE] if there are no two}
    @Operation
    public int takeAndGiveBack() {
        int start = take();
        if (start != NONE) {
            pool.release(start);
        }
        return start;
    }

    @Test
    void everyScheduleOfTwoThreadsKeepsRunsApart() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .iterations(4)
                .invocationsPerIteration(200)
                .check(getClass());
    }
}
