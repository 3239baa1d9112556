package dev.outrider.demo.corpus;

import dev.outrider.demo.corpus.Lexicon.Person;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A descriptive text and a summary that quotes whole sentences of it.
final class SummaryWriter {
    private static final List<String> PLAIN_ADJECTIVES =
            Lexicon.ADJECTIVES.stream().filter(word -> !Prose.beginsWithVowel(word)).toList();

    private SummaryWriter() {}

    static Document.Parts document(Choices choices) {
        var written = pair(choices);
        return new Document.Parts(
                "Text: %s\nSummary:".formatted(written.prompt()),
                " " + written.continuation() + "\n");
    }

    static Document.Parts pair(Choices choices) {
        return switch (choices.between(0, 3)) {
            case 0 -> summary(choices, "the town of ", choices.pick(Lexicon.TOWNS), "town");
            case 1 ->
                    summary(choices, "the life of ", choices.pick(Lexicon.PEOPLE).name(), "person");
            case 2 -> {
                var color = choices.pick(Lexicon.COLORS);
                var animal = color + " " + choices.pick(Lexicon.ANIMALS);
                yield summary(choices, "an animal, the ", animal, "animal");
            }
            default -> {
                var machine = choices.pick(Lexicon.GOODS).singular() + " machine";
                yield summary(choices, "a machine, the ", machine, "machine");
            }
        };
    }

    private static Document.Parts summary(
            Choices choices, String subject, String topic, String section) {
        var facts = Lexicon.sentences("facts " + section);
        int count = choices.between(4, 6);
        var told = new ArrayList<>(List.of(facts.getFirst()));
        told.addAll(choices.pickDistinct(facts.subList(1, facts.size()), count - 1));
        var sentences =
                told.stream().map(fact -> Prose.fill(fact, values(topic, choices))).toList();
        var quotes = choices.pickDistinct(sentences, 2);
        var summary =
                Prose.fill(
                        choices.pick(Lexicon.sentences("summary")),
                        Map.of(
                                "subject",
                                subject + topic,
                                "first",
                                quotes.getFirst(),
                                "second",
                                quotes.getLast()));
        return new Document.Parts(String.join(" ", sentences), summary);
    }

    /// Returns a value for every slot of a fact.
    private static Map<String, Object> values(String topic, Choices choices) {
        var hero =
                Lexicon.PEOPLE.stream()
                        .filter(person -> person.name().equals(topic))
                        .findFirst()
                        .orElseGet(() -> new Person(topic, "she", "her", "her"));
        var values = new HashMap<String, Object>(hero.pronouns());
        values.put("topic", topic);
        number(values, "place", choices.pickDistinct(Lexicon.PLACES, 3));
        number(values, "town", choices.pickDistinct(Lexicon.TOWNS, 2));
        number(values, "trait", choices.pickDistinct(Lexicon.TRAITS, 2));
        number(values, "job", choices.pickDistinct(Lexicon.JOBS, 2));
        var goods = choices.pickDistinct(Lexicon.GOODS, 2);
        number(values, "goods", goods.stream().map(Lexicon.Noun::plural).toList());
        number(values, "thing", choices.pickDistinct(Lexicon.OBJECTS, 2));
        number(values, "color", choices.pickDistinct(Lexicon.COLORS, 2));
        values.put("adjective", choices.pick(PLAIN_ADJECTIVES));
        values.put("animal", choices.pick(Lexicon.ANIMALS));
        values.put("person", choices.pick(Lexicon.PEOPLE).name());
        values.put("season", choices.pick(Lexicon.SEASONS));
        values.put("day", choices.pick(Lexicon.DAYS));
        values.put("number", choices.between(2, 99) * 10);
        values.put("number2", choices.between(2, 99) * 5);
        values.put("small", choices.between(3, 40));
        values.put("year", choices.between(1650, 1990));
        return values;
    }

    /// Adds words under `key`, `key2`, `key3`.
    private static void number(Map<String, Object> values, String key, List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            values.put(i == 0 ? key : key + (i + 1), words.get(i));
        }
    }
}
