package dev.outrider.demo.corpus;

import dev.outrider.demo.corpus.Lexicon.Person;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Short stories with five plots, which are sections of `texts.txt`. A [World] writes the events, so
/// a person can give away only things that the person has.
final class StoryWriter {
    private static final List<String> PLOTS = List.of("lost", "gift", "trade", "rescue", "contest");

    private final Choices choices;
    private final World world;
    private final Person hero;
    private final Person friend;
    private final Map<String, String> slots = new HashMap<>();
    private final List<String> places;
    private final List<String> told = new ArrayList<>();

    private StoryWriter(Choices choices) {
        this.choices = choices;
        world = new World(choices);
        var people = choices.pickDistinct(Lexicon.PEOPLE, 2);
        hero = people.getFirst();
        friend = people.getLast();
        slots.putAll(hero.pronouns());
        slots.put("hero", hero.name());
        slots.put("friend", friend.name());
        slots.put("fsubject", friend.subject());
        slots.put("job", choices.pick(Lexicon.JOBS));
        slots.put("trait", choices.pick(Lexicon.TRAITS));
        slots.put("adjective", choices.pick(Lexicon.ADJECTIVES));
        var things = choices.pickDistinct(Lexicon.OBJECTS, 2);
        slots.put("thing", things.getFirst());
        slots.put("other", things.getLast());
        slots.put("animal", choices.pick(Lexicon.ANIMALS));
        places = choices.pickDistinct(Lexicon.PLACES, 4);
        slots.put("home", places.getFirst());
    }

    static Document.Parts write(Choices choices) {
        return new StoryWriter(choices).story();
    }

    private Document.Parts story() {
        var prompt =
                filled(
                        "Write a story about {hero}, {a trait} {job}, and {a adjective} {thing}.\nStory:");
        tell("opening");
        var plot = choices.pick(PLOTS);
        tell(plot);
        if (plot.equals("contest")) {
            tell(choices.chance(0.5) ? "won" : "beaten");
        }
        var owned = world.heldBy(hero);
        var given = world.heldBy(friend);
        say(
                owned.isEmpty()
                        ? "So {hero} had nothing, but {subject} had a friend."
                        : "So {hero} had " + Prose.listed(owned) + ".");
        if (!given.isEmpty()) {
            say("And {friend} had " + Prose.listed(given) + ".");
        }
        tell("ending");
        return new Document.Parts(prompt, " " + String.join(" ", told) + "\n");
    }

    private void tell(String section) {
        for (var step : Lexicon.steps("story " + section)) {
            if (step.getFirst().startsWith("- ") || step.getFirst().startsWith("> ")) {
                for (var event : step) {
                    var sentence = happen(event.split(" ", -1));
                    if (event.startsWith(">")) {
                        told.add(sentence);
                    }
                }
            } else {
                say(choices.pick(step));
            }
        }
    }

    /// @param event its mark, its name, and who or what takes part
    private String happen(String[] event) {
        return switch (event[1]) {
            case "place" -> world.place(thing(event[2]), place(event[3]));
            case "arrive" -> world.arrive(person(event[2]), place(event[3]));
            case "take" -> world.take(person(event[2]), thing(event[3]));
            case "drop" -> world.drop(person(event[2]), thing(event[3]));
            case "give" -> world.give(person(event[2]), person(event[3]), thing(event[4]));
            default -> throw new IllegalStateException("unknown event " + event[1]);
        };
    }

    private Person person(String name) {
        return name.equals("hero") ? hero : friend;
    }

    private String thing(String name) {
        return Objects.requireNonNull(slots.get(name));
    }

    private String place(String number) {
        return places.get(Integer.parseInt(number));
    }

    private void say(String sentence) {
        told.add(filled(sentence));
    }

    private String filled(String sentence) {
        slots.put("town", choices.pick(Lexicon.TOWNS));
        slots.put("season", choices.pick(Lexicon.SEASONS));
        slots.put("day", choices.pick(Lexicon.DAYS));
        return Prose.fill(sentence, slots);
    }
}
