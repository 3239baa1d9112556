package dev.outrider.testkit;

import dev.outrider.spi.target.TargetDescription;
import java.util.List;
import java.util.SplittableRandom;

/// Sources of different lengths for the target's encoder; empty ones for a target without one.
///
/// @param target the target
record Sources(TargetDescription target) {
    private static final int SHORTEST = 3;
    private static final int LENGTHS = 4;

    /// Returns the source of a number, always the same.
    List<Integer> source(int number) {
        return target.sources()
                .map(reading ->
                        new SplittableRandom(77 + number)
                                .ints(
                                        Math.min(
                                                reading.maxPositions(),
                                                SHORTEST + 2 * (number % LENGTHS)),
                                        0,
                                        target.vocabularySize())
                                .boxed()
                                .toList())
                .orElse(List.of());
    }
}
