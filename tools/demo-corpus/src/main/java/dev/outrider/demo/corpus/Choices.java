package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// The random decisions of a writer. Confined to the document being written.
record Choices(RandomGenerator random) {
    <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    /// Returns `count` different elements in random order.
    <T> List<T> pickDistinct(List<T> from, int count) {
        var left = new ArrayList<>(from);
        var picked = new ArrayList<T>(count);
        for (int i = 0; i < count; i++) {
            picked.add(left.remove(random.nextInt(left.size())));
        }
        return picked;
    }

    /// Returns a number between both bounds, both included.
    int between(int low, int high) {
        return random.nextInt(low, high + 1);
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }
}
