package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// Short stories with five plots, which are sections of `texts.txt`. A [World] writes the events, so
/// a person can give away only things that the person has.
final class StoryWriter {
    private final Choices choices;
    private final World world;
    private final Map<String, String> slots = new HashMap<>();
    private final List<String> told = new ArrayList<>();

    private StoryWriter(Choices choices) {
        this.choices = choices;
        world = new World(choices);
        choices.draw("story slots", slots);
        slots.putAll(Lexicon.pronouns(slot("hero")));
        slots.put("fsubject", Lexicon.pronouns(slot("friend")).get("subject"));
    }

    static Document.Parts write(Choices choices) {
        return new StoryWriter(choices).story();
    }

    private Document.Parts story() {
        var prompt =
                filled(
                        "Write a story about {hero}, {a trait} {job}, and {a adjective} {thing}.\nStory:");
        tell("opening");
        var plot = choices.word("story plots");
        tell(plot);
        if (plot.equals("contest")) {
            tell(choices.chance(0.5) ? "won" : "beaten");
        }
        var owned = world.thingsAt(slot("hero"));
        var given = world.thingsAt(slot("friend"));
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
            if (!step.getFirst().matches("[->] .*")) {
                say(choices.pick(step));
                continue;
            }
            for (var event : step) {
                var sentence = happen(event.split(" ", -1));
                if (event.startsWith(">")) {
                    told.add(sentence);
                }
            }
        }
    }

    /// @param event its mark, its name, and the slots of who or what takes part
    private String happen(String[] event) {
        var names = Stream.of(event).skip(2).map(this::slot).toList();
        return switch (event[1]) {
            case "place" -> world.place(names.get(0), names.get(1));
            case "arrive" -> world.arrive(names.get(0), names.get(1));
            case "take" -> world.take(names.get(0), names.get(1));
            case "drop" -> world.drop(names.get(0), names.get(1));
            case "give" -> world.give(names.get(0), names.get(1), names.get(2));
            default -> throw new IllegalStateException("unknown event " + event[1]);
        };
    }

    private String slot(String key) {
        return Objects.requireNonNull(slots.get(key), key);
    }

    private void say(String sentence) {
        told.add(filled(sentence));
    }

    private String filled(String sentence) {
        choices.draw("story time", slots);
        return Prose.fill(sentence, slots);
    }
}
