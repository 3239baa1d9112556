package dev.outrider.demo.corpus;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The positions of people and things: the state that keeps a passage consistent. Confined to one
/// document. People, things and places are their names.
///
/// Every event is checked with the state, applied to it, and written as one sentence.
final class World {
    private final Choices choices;
    private final Map<String, String> placeOf = new LinkedHashMap<>();

    /// For each thing, the person who has it, or its place.
    private final Map<String, String> things = new LinkedHashMap<>();

    World(Choices choices) {
        this.choices = choices;
    }

    String arrive(String person, String place) {
        placeOf.put(person, place);
        return told("arrive", Map.of("name", person, "place", place));
    }

    String place(String thing, String place) {
        things.put(thing, place);
        return told("place", Map.of("thing", thing, "place", place));
    }

    String take(String person, String thing) {
        move(thing, placeOf(person), person);
        return told("take", Map.of("name", person, "thing", thing));
    }

    String drop(String person, String thing) {
        var place = placeOf(person);
        move(thing, person, place);
        return told("drop", Map.of("name", person, "thing", thing, "place", place));
    }

    String give(String giver, String receiver, String thing) {
        require(placeOf(giver).equals(placeOf(receiver)));
        move(thing, giver, receiver);
        return told("give", Map.of("giver", giver, "receiver", receiver, "thing", thing));
    }

    private void move(String thing, String from, String to) {
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

    /// Returns the person who has a thing, if there is one.
    Optional<String> holderOf(String thing) {
        return Optional.ofNullable(things.get(thing)).filter(placeOf::containsKey);
    }

    /// Returns the place of a person or thing of this world. What a person has is there too.
    ///
    /// @throws java.util.NoSuchElementException if this world has neither
    String placeOf(String name) {
        var where = holderOf(name).orElse(name);
        return Optional.ofNullable(placeOf.getOrDefault(where, things.get(where))).orElseThrow();
    }

    /// Returns the things that a person has, or that lie at a place.
    List<String> thingsAt(String where) {
        return things.keySet().stream().filter(thing -> where.equals(things.get(thing))).toList();
    }
}
