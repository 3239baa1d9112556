package dev.outrider.demo.corpus;

import dev.outrider.common.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// The words and sentences of `texts.txt`. The beginning of that file describes its format.
final class Lexicon {
    /// The steps of each section, as lines.
    private static final Map<String, List<List<String>>> SECTIONS = read();

    private static final Map<String, List<String>> WORDS = new ConcurrentHashMap<>();

    /// First names.
    static final List<String> PEOPLE = words("women,men");

    private Lexicon() {}

    /// Returns the pronouns of a person as values of slots.
    static Map<String, String> pronouns(String name) {
        return words("men").contains(name)
                ? Map.of("subject", "he", "object", "him", "possessive", "his")
                : Map.of("subject", "she", "object", "her", "possessive", "her");
    }

    /// Returns the words of a section, or of several with commas between their names.
    static List<String> words(String sections) {
        return WORDS.computeIfAbsent(
                sections,
                names ->
                        Stream.of(names.split(",", -1))
                                .map(name -> String.join("\n", sentences(name)))
                                .flatMap(words -> Stream.of(words.split(",\\s+", -1)))
                                .toList());
    }

    /// Returns the sentences of a section.
    static List<String> sentences(String section) {
        return steps(section).getFirst();
    }

    /// Returns the steps of a section, each as its lines.
    static List<List<String>> steps(String section) {
        return Objects.requireNonNull(SECTIONS.get(section), section);
    }

    private static Map<String, List<List<String>>> read() {
        var sections = new HashMap<String, List<List<String>>>();
        for (var section : Resource.text(Lexicon.class, "texts.txt").split("(?m)^\\[", -1)) {
            int end = section.indexOf("]\n");
            if (end > 0) {
                var steps = section.substring(end + 2).strip().split("\n\n", -1);
                sections.put(
                        section.substring(0, end),
                        Stream.of(steps).map(step -> step.lines().toList()).toList());
            }
        }
        return sections;
    }
}
