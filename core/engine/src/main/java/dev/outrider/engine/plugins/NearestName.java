package dev.outrider.engine.plugins;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// Guesses which name somebody meant.
final class NearestName {
    private NearestName() {}

    /// The known name with the fewest letters to change; empty when none is close.
    static Optional<String> to(String name, Collection<String> known) {
        return known.stream()
                .sorted()
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .filter(best -> distance(name, best) <= Math.max(2, name.length() / 3));
    }

    /// Levenshtein's distance.
    private static int distance(String one, String other) {
        var previous = new int[other.length() + 1];
        for (int column = 0; column <= other.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= one.length(); row++) {
            var current = new int[other.length() + 1];
            current[0] = row;
            for (int column = 1; column <= other.length(); column++) {
                int change = one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1;
                current[column] =
                        Math.min(
                                previous[column - 1] + change,
                                1 + Math.min(previous[column], current[column - 1]));
            }
            previous = current;
        }
        return previous[other.length()];
    }
}
