package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A descriptive text and a summary that quotes whole sentences of it.
final class SummaryWriter {
    private static final List<String> PLAIN_ADJECTIVES =
            Lexicon.words("adjectives").stream()
                    .filter(word -> !Prose.beginsWithVowel(word))
                    .toList();

    private SummaryWriter() {}

    static Document.Parts document(Choices choices) {
        var written = pair(choices);
        return new Document.Parts(
                "Text: %s\nSummary:".formatted(written.prompt()),
                " " + written.continuation() + "\n");
    }

    static Document.Parts pair(Choices choices) {
        var subject = choices.pick(Lexicon.sentences("subjects")).split(": ", 2);
        var topic =
                switch (subject[0]) {
                    case "town" -> choices.word("towns");
                    case "person" -> choices.pick(Lexicon.PEOPLE);
                    case "animal" -> choices.word("colors") + " " + choices.word("animals");
                    case "machine" -> Prose.singular(choices.word("goods")) + " machine";
                    default -> throw new IllegalStateException("unknown subject " + subject[0]);
                };
        var facts = Lexicon.sentences("facts " + subject[0]);
        int count = choices.between(4, 6);
        var told = new ArrayList<>(List.of(facts.getFirst()));
        told.addAll(choices.pickDistinct(facts.subList(1, facts.size()), count - 1));
        var sentences =
                told.stream().map(fact -> Prose.fill(fact, values(topic, choices))).toList();
        var quotes = choices.pickDistinct(sentences, 2);
        var slots =
                Map.of(
                        "subject", subject[1] + " " + topic,
                        "first", quotes.getFirst(),
                        "second", quotes.getLast());
        return new Document.Parts(
                String.join(" ", sentences),
                Prose.fill(choices.pick(Lexicon.sentences("summary")), slots));
    }

    /// Returns a value for every slot of a fact.
    private static Map<String, String> values(String topic, Choices choices) {
        var values = new HashMap<>(Lexicon.pronouns(topic));
        values.put("topic", topic);
        choices.draw("facts words", values);
        values.put("adjective", choices.pick(PLAIN_ADJECTIVES));
        choices.draw("facts more words", values);
        return values;
    }
}
