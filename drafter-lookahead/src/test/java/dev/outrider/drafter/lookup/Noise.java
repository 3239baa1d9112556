package dev.outrider.drafter.lookup;

import java.util.SplittableRandom;

/// Texts of random tokens.
public final class Noise {
    private Noise() {}

    /// Returns the same tokens for the same arguments.
    ///
    /// @param vocabulary tokens are in `[0, vocabulary)`
    public static int[] tokens(int vocabulary, int count) {
        var random = new SplittableRandom(31L * vocabulary + count);
        return random.ints(count, 0, vocabulary).toArray();
    }
}
