package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;

/// A passage about people and things, a question about the final state, and the answer with its reason.
final class QuestionWriter {
    private QuestionWriter() {}

    static Document.Parts write(Choices choices) {
        var people = choices.pickDistinct(Lexicon.PEOPLE, choices.between(2, 3));
        var places = choices.pickDistinct(Lexicon.words("places"), 3);
        var things = choices.pickDistinct(Lexicon.words("objects"), 2);
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
        var slots = new HashMap<String, String>();
        var question =
                choices.chance(0.65)
                        ? aboutThing(choices.pick(things), world, choices, slots)
                        : aboutPerson(choices.pick(people), world, slots);
        var texts = Lexicon.sentences("question " + question);
        return new Document.Parts(
                "Passage: %s\nQuestion: %s\nAnswer:"
                        .formatted(String.join(" ", passage), Prose.fill(texts.getFirst(), slots)),
                " " + Prose.fill(texts.getLast(), slots) + "\n");
    }

    /// Fills the slots, and returns the section of the question and its answer.
    private static String aboutThing(
            String thing, World world, Choices choices, Map<String, String> slots) {
        var holder = world.holderOf(thing);
        holder.ifPresent(person -> {
            slots.put("holder", person);
            slots.putAll(Lexicon.pronouns(person));
        });
        slots.put("thing", thing);
        slots.put("place", world.placeOf(thing));
        return (choices.chance(0.5) ? "who " : "where ") + (holder.isPresent() ? "held" : "lying");
    }

    /// Fills the slots, and returns the section of the question and its answer.
    private static String aboutPerson(String person, World world, Map<String, String> slots) {
        var held = world.thingsAt(person);
        slots.putAll(Lexicon.pronouns(person));
        slots.put("person", person);
        slots.put("place", world.placeOf(person));
        slots.put("held", held.isEmpty() ? "nothing" : Prose.listed(held));
        return "person";
    }
}
