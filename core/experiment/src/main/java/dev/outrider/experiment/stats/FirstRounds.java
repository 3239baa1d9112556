package dev.outrider.experiment.stats;

import java.util.List;
import java.util.function.ToDoubleFunction;

/// The first rounds of a generation, which after the prompt's passes find less in the processor's caches than later ones.
public final class FirstRounds {
    /// The most first rounds of a long generation.
    public static final int MAX = 8;

    private FirstRounds() {}

    /// Returns the number of first rounds of a generation: at most half of a short one, so that other rounds remain.
    ///
    /// @param rounds of the generation
    public static int of(int rounds) {
        return Math.min(MAX, rounds / 2);
    }

    /// Returns the mean time of some rounds; 0 if there are none.
    public static <T> double mean(List<T> some, ToDoubleFunction<T> nanos) {
        return some.stream().mapToDouble(nanos).average().orElse(0);
    }
}
