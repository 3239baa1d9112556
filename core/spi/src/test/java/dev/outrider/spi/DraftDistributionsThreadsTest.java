package dev.outrider.spi;

import dev.outrider.spi.draft.DraftDistributions;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/// The support of a distribution is computed at the first request; every thread that requests it gets the whole support. The model
/// checker runs the schedules of two threads at the level of single reads and writes.
public class DraftDistributionsThreadsTest {
    private final DraftDistributions distributions =
            DraftDistributions.builder().put(0, new double[] {.5, 0, .5}).build();

    /// {@return the tokens of the support, as digits of a number}
    @Operation
    public int support() {
        var support = distributions.support(0);
        int digits = support.size();
        for (int index = 0; index < support.size(); index++) {
            digits = 10 * digits + support.token(index);
        }
        return digits;
    }

    /// {@return the probability of a token}
    @Operation
    public double mass() {
        return distributions.row(0)[2];
    }

    @Test
    void everyScheduleOfTwoThreadsGivesTheWholeSupport() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(3)
                .invocationsPerIteration(100)
                .check(getClass());
    }
}
