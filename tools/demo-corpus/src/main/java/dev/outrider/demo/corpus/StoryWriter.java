package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.List;

/// Short stories with five plots. A [World] tells the events, so nobody gives away a thing that
/// they do not have.
final class StoryWriter {
    private final Choices choices;
    private final World world;
    private final Person hero;
    private final Person friend;
    private final String job;
    private final String trait;
    private final String adjective;
    private final String thing;
    private final String other;
    private final String animal;
    private final List<String> places;
    private final List<String> told = new ArrayList<>();

    private StoryWriter(Choices choices) {
        this.choices = choices;
        world = new World(choices);
        var people = choices.pickDistinct(Lexicon.PEOPLE, 2);
        hero = people.getFirst();
        friend = people.getLast();
        job = choices.pick(Lexicon.JOBS);
        trait = choices.pick(Lexicon.TRAITS);
        adjective = choices.pick(Lexicon.ADJECTIVES);
        var things = choices.pickDistinct(Lexicon.OBJECTS, 2);
        thing = things.getFirst();
        other = things.getLast();
        animal = choices.pick(Lexicon.ANIMALS);
        places = choices.pickDistinct(Lexicon.PLACES, 4);
    }

    static PromptAndContinuation write(Choices choices) {
        return new StoryWriter(choices).tell();
    }

    private PromptAndContinuation tell() {
        var prompt = slots("Write a story about {hero}, {atrait} {job}, and {athing}.\nStory:");
        opening();
        switch (choices.between(0, 4)) {
            case 0 -> lostThing();
            case 1 -> gift();
            case 2 -> trade();
            case 3 -> rescue();
            default -> contest();
        }
        ending();
        return new PromptAndContinuation(prompt, " " + String.join(" ", told) + "\n");
    }

    private void opening() {
        say(
                "Once upon a time there was {atrait} {job} called {hero}.",
                "Long ago, {atrait} {job} named {hero} lived near the {home}.",
                "One {season} day, {hero} the {job} woke up early.",
                "In the town of {town} lived {hero}, who was {atrait} {job}.",
                "{hero} was {atrait} {job}, and everybody in {town} knew {object}.");
        say(
                "{Subject} had {athing}, and {subject} loved it very much.",
                "More than anything, {subject} loved {possessive} {thing}. It was {adjective}.",
                "From {possessive} mother {subject} had got {athing}.",
                "{Possessive} {thing} was {adjective}, and {subject} took it everywhere.");
        world.place(thing, places.getFirst());
        world.arrive(hero, places.getFirst());
        world.take(hero, thing);
    }

    private void lostThing() {
        say(
                "But one morning the {thing} was gone.",
                "One evening {subject} could not find the {thing}.",
                "Then, on {day}, {subject} lost it.");
        say(
                "\"Where is my {thing}?\" cried {hero}.",
                "{hero} was very sad and began to look for it.",
                "\"I must find it,\" said {hero}.");
        world.drop(hero, thing);
        told.add(world.arrive(hero, places.get(1)));
        say(
                "It was not there.",
                "But there was only {animal}.",
                "{Subject} looked everywhere, but found nothing.");
        told.add(world.arrive(friend, places.get(1)));
        say(
                "\"Can I help you?\" asked {friend}.",
                "{friend} saw that {hero} was sad and wanted to help.",
                "\"I have seen it at the {home},\" said {friend}.");
        told.add(world.arrive(friend, places.getFirst()));
        told.add(world.take(friend, thing));
        told.add(world.arrive(hero, places.getFirst()));
        told.add(world.give(friend, hero, thing));
        say(
                "\"Thank you!\" said {hero}.",
                "{hero} was so happy that {subject} danced.",
                "\"You are a true friend,\" said {hero}.");
    }

    private void gift() {
        say(
                "{Possessive} friend {friend} was ill.",
                "It was the birthday of {friend}.",
                "{Possessive} friend {friend} had lost everything in a fire.");
        say(
                "\"I will give {friend} my {thing},\" thought {hero}.",
                "{hero} wanted to make {friend} happy.");
        world.arrive(friend, places.get(2));
        told.add(world.arrive(hero, places.get(1)));
        say(
                "On the way {subject} met {animal}.",
                "It rained, but {hero} did not stop.",
                "The way was long and the wind was cold.");
        told.add(world.arrive(hero, places.get(2)));
        told.add(world.give(hero, friend, thing));
        say(
                "\"For me?\" asked {friend}. \"It is so {adjective}!\"",
                "{friend} smiled for the first time that day.",
                "\"I will never forget this,\" said {friend}.");
    }

    private void trade() {
        world.place(other, places.get(1));
        world.arrive(friend, places.get(1));
        world.take(friend, other);
        say(
                "But what {subject} really needed was {another}.",
                "One day {subject} saw {another} and could not forget it.");
        told.add(world.arrive(hero, places.get(1)));
        say("There sat {friend}, who had {another}.", "{friend} was there and had {another}.");
        say(
                "\"Will you trade your {other} for my {thing}?\" asked {hero}.",
                "\"I give you the {thing} for the {other},\" said {hero}.");
        say(
                "{friend} thought about it. \"Yes,\" {fsubject} said.",
                "\"That is fair,\" said {friend}.",
                "At first {friend} said no, but then {fsubject} agreed.");
        told.add(world.give(hero, friend, thing));
        told.add(world.give(friend, hero, other));
        say(
                "Both of them were happy.",
                "\"A good trade,\" they said.",
                "They shook hands and laughed.");
    }

    private void rescue() {
        told.add(world.arrive(hero, places.get(1)));
        say(
                "{Subject} heard a cry. {Animal} had fallen into the water!",
                "There {animal} was caught under a tree.",
                "{Animal} sat there and could not move.");
        say(
                "\"Do not be afraid,\" said {hero}.",
                "{hero} did not wait.",
                "\"Help!\" called {hero}, but nobody came.");
        say(
                "With the {thing} {subject} set the animal free.",
                "{Subject} used the {thing}, and soon the animal was safe.",
                "Only the {thing} could help, and it did.");
        told.add(world.arrive(friend, places.get(1)));
        say(
                "\"That was brave,\" said {friend}.",
                "{friend} had seen it all and told everybody in {town}.");
        say(
                "From then on the animal followed {hero} everywhere.",
                "The animal came back every {day}.");
    }

    private void contest() {
        told.add(world.arrive(hero, places.get(1)));
        say(
                "A great contest was held there.",
                "There was a feast with music and games.",
                "Many people had come to race.");
        told.add(world.arrive(friend, places.get(1)));
        world.place(other, places.get(1));
        say("The prize was {another}.", "The winner would get {another}.");
        say(
                "Everybody thought that {friend} would win.",
                "\"You can never win,\" said {friend}.",
                "{hero} was afraid, but {subject} tried.");
        if (choices.chance(0.5)) {
            say(
                    "But {hero} was faster.",
                    "In the end {hero} won.",
                    "Thanks to the {thing}, {hero} came first.");
            told.add(world.take(hero, other));
            say(
                    "\"Well done,\" said {friend}.",
                    "{friend} was angry at first, but then {fsubject} laughed.");
        } else {
            say(
                    "And {friend} was faster indeed.",
                    "In the end {friend} won.",
                    "{hero} fell, and {friend} came first.");
            told.add(world.take(friend, other));
            say(
                    "\"Next year I will win,\" said {hero}.",
                    "{hero} was not angry and laughed with {friend}.");
        }
    }

    private void ending() {
        var owned = world.heldBy(hero);
        var given = world.heldBy(friend);
        told.add(
                owned.isEmpty()
                        ? slots("So {hero} had nothing, but {subject} had a friend.")
                        : slots("So {hero} had " + theAll(owned) + "."));
        if (!given.isEmpty()) {
            told.add(slots("And {friend} had " + theAll(given) + "."));
        }
        say(
                "The end.",
                "And they were friends for the rest of their lives.",
                "That night everybody slept well.",
                "And that is how it was.");
    }

    private static String theAll(List<String> things) {
        return Prose.listed(things.stream().map(thing -> "the " + thing).toList());
    }

    private void say(String... variants) {
        told.add(slots(choices.phrase(variants)));
    }

    private String slots(String sentence) {
        return Prose.fill(
                sentence,
                "hero",
                hero.name(),
                "subject",
                hero.subject(),
                "object",
                hero.object(),
                "possessive",
                hero.possessive(),
                "friend",
                friend.name(),
                "fsubject",
                friend.subject(),
                "job",
                job,
                "atrait",
                Prose.withArticle(trait),
                "adjective",
                adjective,
                "thing",
                thing,
                "athing",
                Prose.withArticle(adjective + " " + thing),
                "other",
                other,
                "another",
                Prose.withArticle(other),
                "animal",
                Prose.withArticle(animal),
                "home",
                places.getFirst(),
                "town",
                choices.pick(Lexicon.TOWNS),
                "season",
                choices.pick(Lexicon.SEASONS),
                "day",
                choices.pick(Lexicon.DAYS));
    }
}
