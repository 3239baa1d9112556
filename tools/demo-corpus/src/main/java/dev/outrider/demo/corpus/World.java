package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The positions of people and things: the state that keeps a passage consistent. Confined to one
/// document.
///
/// Every event is checked against the state, applied to it, and told as one sentence.
final class World {
    /// The place of a thing.
    sealed interface Whereabouts {
        record HeldBy(Person holder) implements Whereabouts {}

        record LyingAt(String place) implements Whereabouts {}
    }

    private final Choices choices;
    private final Map<Person, String> placeOf = new LinkedHashMap<>();
    private final Map<String, Whereabouts> things = new LinkedHashMap<>();

    World(Choices choices) {
        this.choices = choices;
    }

    String arrive(Person person, String place) {
        placeOf.put(person, place);
        var sentence =
                choices.phrase(
                        "{name} went to the {place}.",
                        "{name} walked to the {place}.",
                        "{name} came to the {place}.",
                        "Then {name} went to the {place}.",
                        "After that {name} ran to the {place}.");
        return Prose.fill(sentence, "name", person.name(), "place", place);
    }

    String place(String thing, String place) {
        things.put(thing, new Whereabouts.LyingAt(place));
        return Prose.fill(
                choices.phrase(
                        "The {thing} was at the {place}.",
                        "There was {a} at the {place}.",
                        "Somebody had left {a} at the {place}."),
                "thing",
                thing,
                "place",
                place,
                "a",
                Prose.withArticle(thing));
    }

    String take(Person person, String thing) {
        require(
                things.get(thing) instanceof Whereabouts.LyingAt(var at)
                        && at.equals(placeOf(person)),
                "take");
        things.put(thing, new Whereabouts.HeldBy(person));
        return Prose.fill(
                choices.phrase(
                        "{name} picked up the {thing}.",
                        "{name} took the {thing}.",
                        "{name} found the {thing} and took it."),
                "name",
                person.name(),
                "thing",
                thing);
    }

    String drop(Person person, String thing) {
        require(whereabouts(thing).equals(new Whereabouts.HeldBy(person)), "drop");
        var place = placeOf(person);
        things.put(thing, new Whereabouts.LyingAt(place));
        return Prose.fill(
                choices.phrase(
                        "{name} left the {thing} at the {place}.",
                        "{name} put down the {thing} at the {place}."),
                "name",
                person.name(),
                "thing",
                thing,
                "place",
                place);
    }

    String give(Person giver, Person receiver, String thing) {
        require(whereabouts(thing).equals(new Whereabouts.HeldBy(giver)), "give");
        require(placeOf(giver).equals(placeOf(receiver)), "give");
        things.put(thing, new Whereabouts.HeldBy(receiver));
        return Prose.fill(
                choices.phrase(
                        "{giver} gave the {thing} to {receiver}.",
                        "{giver} handed the {thing} to {receiver}.",
                        "{receiver} got the {thing} from {giver}."),
                "giver",
                giver.name(),
                "receiver",
                receiver.name(),
                "thing",
                thing);
    }

    /// Returns an event that the state allows, as a sentence.
    String randomEvent(List<String> places) {
        var people = List.copyOf(placeOf.keySet());
        var person = choices.pick(people);
        var here = placeOf(person);
        var held = heldBy(person);
        var lying = lyingAt(here);
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

    String placeOf(Person person) {
        var place = placeOf.get(person);
        if (place == null) {
            throw new IllegalStateException(person.name() + " is not in this world");
        }
        return place;
    }

    Whereabouts whereabouts(String thing) {
        var whereabouts = things.get(thing);
        if (whereabouts == null) {
            throw new IllegalStateException("there is no " + thing + " in this world");
        }
        return whereabouts;
    }

    List<String> heldBy(Person person) {
        return thingsAt(new Whereabouts.HeldBy(person));
    }

    List<String> lyingAt(String place) {
        return thingsAt(new Whereabouts.LyingAt(place));
    }

    private List<String> thingsAt(Whereabouts where) {
        var found = new ArrayList<String>();
        things.forEach((thing, whereabouts) -> {
            if (whereabouts.equals(where)) {
                found.add(thing);
            }
        });
        return found;
    }

    private static void require(boolean allowed, String event) {
        if (!allowed) {
            throw new IllegalStateException("the state does not allow: " + event);
        }
    }
}
