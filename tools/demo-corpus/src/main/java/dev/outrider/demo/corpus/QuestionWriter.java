package dev.outrider.demo.corpus;

import dev.outrider.demo.corpus.Lexicon.Person;
import java.util.ArrayList;
import java.util.HashMap;

/// A passage about people and things, a question about the final state, and the answer with its reason.
final class QuestionWriter {
    private QuestionWriter() {}

    static Document.Parts write(Choices choices) {
        var people = choices.pickDistinct(Lexicon.PEOPLE, choices.between(2, 3));
        var places = choices.pickDistinct(Lexicon.PLACES, 3);
        var things = choices.pickDistinct(Lexicon.OBJECTS, 2);
        var world = new World(choices);
        var passage = new ArrayList<String>();
        for (var thing : things) {
            passage.add(world.place(thing, choices.pick(places)));
        }
        for (var person : people) {
            passage.add(world.arrive(person, choices.pick(places)));
        }
        int events = choices.between(2, 4);
        for (int i = 0; i < events; i++) {
            passage.add(world.randomEvent(places));
        }
        var question =
                choices.chance(0.65)
                        ? aboutThing(choices.pick(things), world, choices)
                        : aboutPerson(choices.pick(people), world);
        return new Document.Parts(
                "Passage: %s\nQuestion: %s\nAnswer:"
                        .formatted(String.join(" ", passage), question.prompt()),
                " " + question.continuation() + "\n");
    }

    private static Document.Parts aboutThing(String thing, World world, Choices choices) {
        var values = new HashMap<String, String>();
        values.put("thing", thing);
        values.put("place", world.placeOf(thing));
        var holder = world.holderOf(thing);
        holder.ifPresent(person -> {
            values.put("holder", person.name());
            values.put("subject", person.subject());
        });
        boolean who = choices.chance(0.5);
        var answer =
                who
                        ? holder.isPresent()
                                ? "{holder} has the {thing}. {Subject} is at the {place} now."
                                : "Nobody has the {thing}. It is at the {place}."
                        : holder.isPresent()
                                ? "The {thing} is at the {place}, because {holder} has it and {subject} is there."
                                : "The {thing} is at the {place}. Nobody has it.";
        return new Document.Parts(
                (who ? "Who has the %s?" : "Where is the %s?").formatted(thing),
                Prose.fill(answer, values));
    }

    private static Document.Parts aboutPerson(Person person, World world) {
        var held = world.heldBy(person);
        return new Document.Parts(
                "Where is %s, and what does %s have?".formatted(person.name(), person.subject()),
                "%s is at the %s. %s has %s."
                        .formatted(
                                person.name(),
                                world.placeOf(person),
                                Prose.capital(person.subject()),
                                held.isEmpty() ? "nothing" : Prose.listed(held)));
    }
}
