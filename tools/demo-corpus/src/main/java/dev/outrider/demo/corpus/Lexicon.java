package dev.outrider.demo.corpus;

import dev.outrider.common.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// The words and sentences of `texts.txt`. The beginning of that file describes its format.
final class Lexicon {
    /// The steps of each section, as lines.
    private static final Map<String, List<List<String>>> SECTIONS = read();

    static final List<Person> PEOPLE =
            Stream.concat(
                            words("women").stream()
                                    .map(name -> new Person(name, "she", "her", "her")),
                            words("men").stream().map(name -> new Person(name, "he", "him", "his")))
                    .toList();

    /// Places one can walk to, all used with `the`.
    static final List<String> PLACES = words("places");

    /// Things one can carry.
    static final List<String> OBJECTS = words("objects");

    static final List<String> ADJECTIVES = words("adjectives");
    static final List<String> TRAITS = words("traits");
    static final List<String> JOBS = words("jobs");
    static final List<String> ANIMALS = words("animals");
    static final List<Noun> GOODS =
            words("goods").stream()
                    .map(word -> word.split("/", 2))
                    .map(forms -> new Noun(forms[0], forms[1]))
                    .toList();
    static final List<String> TOWNS = words("towns");
    static final List<String> COLORS = words("colors");
    static final List<String> SEASONS = words("seasons");
    static final List<String> DAYS = words("days");

    /// A person in a text.
    ///
    /// @param name       a first name
    /// @param subject    `she` or `he`
    /// @param object     `her` or `him`
    /// @param possessive `her` or `his`
    record Person(String name, String subject, String object, String possessive) {
        /// Returns the pronouns as values of slots.
        Map<String, String> pronouns() {
            return Map.of("subject", subject, "object", object, "possessive", possessive);
        }
    }

    /// A countable noun.
    record Noun(String singular, String plural) {
        /// Returns `1 apple`, `2 apples`.
        String counted(int count) {
            return count + " " + (count == 1 ? singular : plural);
        }
    }

    private Lexicon() {}

    /// Returns the words of a section.
    static List<String> words(String section) {
        return List.of(String.join("\n", sentences(section)).split(",\\s+", -1));
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
