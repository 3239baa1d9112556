package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    /// Draws the slots of a section. Words of the same line differ.
    void draw(String section, Map<String, String> slots) {
        for (var line : Lexicon.sentences(section)) {
            var parts = line.split(" = ", 2);
            var keys = parts[0].split(", ", -1);
            if (keys.length == 1) {
                slots.put(parts[0], value(parts[1]).toString());
            } else {
                var words = pickDistinct(Lexicon.words(parts[1]), keys.length);
                for (int i = 0; i < keys.length; i++) {
                    slots.put(keys[i], words.get(i));
                }
            }
        }
    }

    /// Returns a value of a range of numbers, true with a probability, or a word of a section.
    Object value(String from) {
        if (from.contains("..")) {
            var range = from.split("\\.\\.|\\*", -1);
            int factor = range.length > 2 ? Integer.parseInt(range[2]) : 1;
            return between(Integer.parseInt(range[0]), Integer.parseInt(range[1])) * factor;
        }
        return from.contains(".") ? chance(Double.parseDouble(from)) : word(from);
    }

    /// Returns a word of a section.
    String word(String section) {
        return pick(Lexicon.words(section));
    }
}
