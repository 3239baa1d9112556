package dev.outrider.demo.corpus;

import dev.outrider.demo.corpus.Lexicon.Person;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The positions of people and things: the state that keeps a passage consistent. Confined to one
/// document.
///
/// Every event is checked with the state, applied to it, and written as one sentence.
final class World {
    private final Choices choices;
    private final Map<Person, String> placeOf = new LinkedHashMap<>();

    /// For each thing, the person who has it, or the name of its place.
    private final Map<String, Object> things = new LinkedHashMap<>();

    World(Choices choices) {
        this.choices = choices;
    }

    String arrive(Person person, String place) {
        placeOf.put(person, place);
        return told("arrive", Map.of("name", person.name(), "place", place));
    }

    String place(String thing, String place) {
        things.put(thing, place);
        return told("place", Map.of("thing", thing, "place", place));
    }

    String take(Person person, String thing) {
        move(thing, placeOf(person), person);
        return told("take", Map.of("name", person.name(), "thing", thing));
    }

    String drop(Person person, String thing) {
        var place = placeOf(person);
        move(thing, person, place);
        return told("drop", Map.of("name", person.name(), "thing", thing, "place", place));
    }

    String give(Person giver, Person receiver, String thing) {
        require(placeOf(giver).equals(placeOf(receiver)));
        move(thing, giver, receiver);
        return told(
                "give", Map.of("giver", giver.name(), "receiver", receiver.name(), "thing", thing));
    }

    private void move(String thing, Object from, Object to) {
        require(from.equals(things.put(thing, to)));
    }

    private static void require(boolean allowed) {
        if (!allowed) {
            throw new IllegalStateException("the state of the world does not allow this event");
        }
    }

    private String told(String event, Map<String, String> values) {
        return Prose.fill(choices.pick(Lexicon.sentences("world " + event)), values);
    }

    /// Returns an event that the state allows, as a sentence.
    String randomEvent(List<String> places) {
        var people = List.copyOf(placeOf.keySet());
        var person = choices.pick(people);
        var here = placeOf(person);
        var held = thingsAt(person);
        var lying = thingsAt(here);
        var company =
                people.stream()
                        .filter(other -> !other.equals(person) && placeOf(other).equals(here))
                        .toList();
        if (!lying.isEmpty() && choices.chance(0.6)) {
            return take(person, choices.pick(lying));
        }
        if (!held.isEmpty() && !company.isEmpty() && choices.chance(0.7)) {
            return give(person, choices.pick(company), choices.pick(held));
        }
        if (!held.isEmpty() && choices.chance(0.3)) {
            return drop(person, choices.pick(held));
        }
        return arrive(
                person,
                choices.pick(places.stream().filter(place -> !place.equals(here)).toList()));
    }

    /// Returns the place of a person, who is in this world.
    String placeOf(Person person) {
        return Optional.ofNullable(placeOf.get(person)).orElseThrow();
    }

    /// Returns the person who has a thing, if there is one.
    Optional<Person> holderOf(String thing) {
        return things.get(thing) instanceof Person person ? Optional.of(person) : Optional.empty();
    }

    /// Returns the place of a thing of this world, or of the person who has it.
    String placeOf(String thing) {
        return holderOf(thing).map(this::placeOf).orElseGet(() -> (String) things.get(thing));
    }

    /// Returns the things that a person has.
    List<String> heldBy(Person person) {
        return thingsAt(person);
    }

    private List<String> thingsAt(Object where) {
        return things.keySet().stream().filter(thing -> where.equals(things.get(thing))).toList();
    }
}
