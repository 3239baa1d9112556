package dev.outrider.demo.corpus;

import java.util.ArrayList;

/// A passage about people and things, a question about the final state, and the answer with its reason.
final class QuestionWriter {
    private QuestionWriter() {}

    static PromptAndContinuation write(Choices choices) {
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
        return new PromptAndContinuation(
                "Passage: %s\nQuestion: %s\nAnswer:"
                        .formatted(String.join(" ", passage), question.prompt()),
                " " + question.continuation() + "\n");
    }

    private static PromptAndContinuation aboutThing(String thing, World world, Choices choices) {
        return switch (world.whereabouts(thing)) {
            case World.Whereabouts.HeldBy(var holder) -> {
                var place = world.placeOf(holder);
                var answer =
                        choices.chance(0.5)
                                ? new PromptAndContinuation(
                                        "Who has the {thing}?",
                                        "{holder} has the {thing}. {Subject} is at the {place} now.")
                                : new PromptAndContinuation(
                                        "Where is the {thing}?",
                                        "The {thing} is at the {place}, because {holder} has it and {subject} is there.");
                yield new PromptAndContinuation(
                        Prose.fill(answer.prompt(), "thing", thing),
                        Prose.fill(
                                answer.continuation(),
                                "thing",
                                thing,
                                "holder",
                                holder.name(),
                                "subject",
                                holder.subject(),
                                "place",
                                place));
            }
            case World.Whereabouts.LyingAt(var place) -> {
                var answer =
                        choices.chance(0.5)
                                ? new PromptAndContinuation(
                                        "Who has the {thing}?",
                                        "Nobody has the {thing}. It is at the {place}.")
                                : new PromptAndContinuation(
                                        "Where is the {thing}?",
                                        "The {thing} is at the {place}. Nobody has it.");
                yield new PromptAndContinuation(
                        Prose.fill(answer.prompt(), "thing", thing),
                        Prose.fill(answer.continuation(), "thing", thing, "place", place));
            }
        };
    }

    private static PromptAndContinuation aboutPerson(Person person, World world) {
        var held = world.heldBy(person);
        var carries =
                held.isEmpty()
                        ? "nothing"
                        : Prose.listed(held.stream().map(thing -> "the " + thing).toList());
        return new PromptAndContinuation(
                "Where is %s, and what does %s have?".formatted(person.name(), person.subject()),
                "%s is at the %s. %s has %s."
                        .formatted(
                                person.name(),
                                world.placeOf(person),
                                Prose.capital(person.subject()),
                                carries));
    }
}
