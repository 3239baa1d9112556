package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.List;

/// A descriptive text and a summary that quotes whole sentences of it.
final class SummaryWriter {
    private static final List<String> TOWN_FACTS =
            List.of(
                    "The town of {topic} lies near the {place}.",
                    "About {number} people live there today.",
                    "In {season} the {place2} is full of visitors.",
                    "Most families work as {job}s or {job2}s.",
                    "Every {day} there is a market for {goods} and {goods2}.",
                    "The oldest building is the {adjective} {place3}.",
                    "It was built by {person}, a {trait} {job}, in {year}.",
                    "Children are told never to go to the {place2} alone.",
                    "The people are known to be {trait} and {trait2}.",
                    "A road leads from the {place} to {town}.",
                    "On the flag of the town there is {animal}.");
    private static final List<String> PERSON_FACTS =
            List.of(
                    "{topic} was born in {town} in {year}.",
                    "{Subject} worked as {ajob} for {small} years.",
                    "{Possessive} best friend was {person}, a {trait} {job2}.",
                    "{Subject} always carried {thing} and {thing2}.",
                    "One {season} {subject} moved to {town2}, close to the {place}.",
                    "People said that {subject} was {trait} but {trait2}.",
                    "{Subject} bought the {adjective} {place2} for {number} coins.",
                    "Every {day} {subject} sold {goods} at the {place}.",
                    "{Subject} kept {animal} and {small} hens.",
                    "The {place3} in {town} is named after {object}.");
    private static final List<String> ANIMAL_FACTS =
            List.of(
                    "The {topic} lives close to the {place}.",
                    "It eats {goods} and sometimes {goods2}.",
                    "In {season} it sleeps for {small} days.",
                    "Its fur is {color}, and its eyes are {color2}.",
                    "A grown {topic} weighs about {number} grams.",
                    "People call it {trait}, but it is really {trait2}.",
                    "In {town} nobody has seen one since {year}.",
                    "It builds its nest under the {place2}.",
                    "{person} was the first {job} who drew it.",
                    "Its only enemy is {animal}.");
    private static final List<String> MACHINE_FACTS =
            List.of(
                    "The {topic} was invented by {person} in {year}.",
                    "It can sort {number} {goods} in {small} minutes.",
                    "It is as heavy as {animal}.",
                    "The first one was built in a {adjective} {place}.",
                    "To start it, one needs {thing} and some water.",
                    "It is painted {color} on the outside and {color2} on the inside.",
                    "The {job}s of {town} use it every {day}.",
                    "In {season} it must be cleaned with {thing2}.",
                    "A new one costs {number2} coins at the {place2}.");

    private SummaryWriter() {}

    static PromptAndContinuation write(Choices choices) {
        var written = summary(choices);
        return new PromptAndContinuation(
                "Text: %s\nSummary:".formatted(written.source()), " " + written.answer() + "\n");
    }

    /// Returns a text and its summary.
    static SourceAndAnswer summary(Choices choices) {
        return switch (choices.between(0, 3)) {
            case 0 ->
                    summary(
                            choices,
                            "the town of {topic}",
                            choices.pick(Lexicon.TOWNS),
                            TOWN_FACTS);
            case 1 ->
                    summary(
                            choices,
                            "the life of {topic}",
                            choices.pick(Lexicon.PEOPLE).name(),
                            PERSON_FACTS);
            case 2 ->
                    summary(
                            choices,
                            "an animal, the {topic}",
                            choices.pick(Lexicon.COLORS) + " " + choices.pick(Lexicon.ANIMALS),
                            ANIMAL_FACTS);
            default ->
                    summary(
                            choices,
                            "a machine, the {topic}",
                            choices.pick(Lexicon.GOODS).singular() + " machine",
                            MACHINE_FACTS);
        };
    }

    private static SourceAndAnswer summary(
            Choices choices, String subject, String topic, List<String> facts) {
        int count = choices.between(4, 6);
        var told = new ArrayList<>(List.of(facts.getFirst()));
        told.addAll(choices.pickDistinct(facts.subList(1, facts.size()), count - 1));
        var sentences = told.stream().map(fact -> fillIn(fact, topic, choices)).toList();
        var quotes = choices.pickDistinct(sentences, 2);
        var summary =
                Prose.fill(
                        choices.phrase(
                                "The text is about {subject}. It says: \"{first}\" It also says: \"{second}\"",
                                "This text tells us about {subject}. We read that \"{first}\" and that \"{second}\"",
                                "In short, this is about {subject}. Most important: \"{first}\" Further: \"{second}\""),
                        "subject",
                        Prose.fill(subject, "topic", topic),
                        "first",
                        quotes.getFirst(),
                        "second",
                        quotes.getLast());
        return new SourceAndAnswer(String.join(" ", sentences), summary);
    }

    private static String fillIn(String fact, String topic, Choices choices) {
        var hero =
                Lexicon.PEOPLE.stream()
                        .filter(person -> person.name().equals(topic))
                        .findFirst()
                        .orElse(Person.woman(topic));
        var places = choices.pickDistinct(Lexicon.PLACES, 3);
        var towns = choices.pickDistinct(Lexicon.TOWNS, 2);
        var traits = choices.pickDistinct(Lexicon.TRAITS, 2);
        var jobs = choices.pickDistinct(Lexicon.JOBS, 2);
        var goods = choices.pickDistinct(Lexicon.GOODS, 2);
        var things = choices.pickDistinct(Lexicon.OBJECTS, 2);
        var colors = choices.pickDistinct(Lexicon.COLORS, 2);
        return Prose.fill(
                fact,
                "topic",
                topic,
                "subject",
                hero.subject(),
                "object",
                hero.object(),
                "possessive",
                hero.possessive(),
                "place",
                places.getFirst(),
                "place2",
                places.get(1),
                "place3",
                places.getLast(),
                "town",
                towns.getFirst(),
                "town2",
                towns.getLast(),
                "trait",
                traits.getFirst(),
                "trait2",
                traits.getLast(),
                "job",
                jobs.getFirst(),
                "job2",
                jobs.getLast(),
                "ajob",
                Prose.withArticle(jobs.getFirst()),
                "goods",
                goods.getFirst().plural(),
                "goods2",
                goods.getLast().plural(),
                "thing",
                Prose.withArticle(things.getFirst()),
                "thing2",
                Prose.withArticle(things.getLast()),
                "color",
                colors.getFirst(),
                "color2",
                colors.getLast(),
                "adjective",
                choices.pick(
                        Lexicon.ADJECTIVES.stream()
                                .filter(word -> "aeiou".indexOf(word.charAt(0)) < 0)
                                .toList()),
                "animal",
                Prose.withArticle(choices.pick(Lexicon.ANIMALS)),
                "person",
                choices.pick(Lexicon.PEOPLE).name(),
                "season",
                choices.pick(Lexicon.SEASONS),
                "day",
                choices.pick(Lexicon.DAYS),
                "number",
                choices.between(2, 99) * 10,
                "number2",
                choices.between(2, 99) * 5,
                "small",
                choices.between(3, 40),
                "year",
                choices.between(1650, 1990));
    }
}
