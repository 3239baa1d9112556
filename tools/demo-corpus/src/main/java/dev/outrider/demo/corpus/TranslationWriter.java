package dev.outrider.demo.corpus;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Sentences of one artificial language, Velan, and their only translation into another, Oric. One
/// Velan word is one Oric word.
///
/// Velan's order is: time, subject, verb, recipient, place. Adjectives are before their noun, `ka`
/// before both; nouns have `-n` in the plural, verbs an ending of tense; `ne` before the verb
/// negates it. Oric's order is: subject, time, place, recipient, verb. Adjectives follow their noun
/// in the reverse order and agree with its gender and number, as the ending of the object does; the
/// verb agrees with the number of the subject; the word of place follows its noun; `mo` after the
/// verb negates it.
final class TranslationWriter {
    static final List<Noun> NOUNS =
            Stream.concat(
                            stems("nouns first").stream().map(stem -> new Noun(stem, "a")),
                            stems("nouns second").stream().map(stem -> new Noun(stem, "e")))
                    .toList();
    static final List<Stem> VERBS = stems("verbs");
    static final List<Stem> ADJECTIVES = stems("qualities");
    static final List<Stem> TIMES = stems("times");
    static final List<Stem> PLACINGS = stems("placings");

    /// Names are the same in both.
    private static final List<String> NAMES = Lexicon.words("women").subList(0, 20);

    /// The ending of a verb, by tense: past, present, future.
    private static final List<Stem> TENSES =
            List.of(new Stem("d", "ok"), new Stem("r", "u"), new Stem("sh", "im"));

    private static final List<Integer> NUMBERS_OF_ADJECTIVES = List.of(0, 1, 1, 2);

    private static final Stem NOT = new Stem("ne", "mo");
    private static final Stem NONE = new Stem("", "");

    /// A word's stem, an ending, or a text, in both languages.
    record Stem(String velan, String oric) {}

    /// A noun.
    ///
    /// @param ending of its Oric gender, of which there are two; objects and adjectives have it
    record Noun(Stem stem, String ending) {}

    /// A noun phrase: a person by name, or a thing.
    ///
    /// @param oric   as a subject or a place
    /// @param object in Oric as an object
    private record Phrase(boolean plural, String velan, String oric, String object) {}

    private TranslationWriter() {}

    private static List<Stem> stems(String section) {
        return Lexicon.words(section).stream()
                .map(both -> both.split(" ", 2))
                .map(both -> new Stem(both[0], both[1]))
                .toList();
    }

    static Document.Parts write(Choices choices) {
        var first = clause(choices);
        if (choices.chance(0.75)) {
            return new Document.Parts(first.velan() + ".", first.oric() + ".");
        }
        var second = clause(choices);
        return new Document.Parts(
                "%s en %s.".formatted(first.velan(), second.velan()),
                "%s, yo %s.".formatted(first.oric(), second.oric()));
    }

    private static Stem clause(Choices choices) {
        var when = choices.chance(0.4) ? choices.pick(TIMES) : NONE;
        var who = phrase(choices);
        var verb = choices.pick(VERBS);
        var tense = choices.pick(TENSES);
        var not = choices.chance(0.2) ? NOT : NONE;
        var what = phrase(choices);
        var where = choices.chance(0.4) ? placing(choices) : NONE;
        var velanVerb = verb.velan() + tense.velan();
        var oricVerb = verb.oric() + tense.oric() + (who.plural() ? "n" : "");
        return new Stem(
                joined(
                        when.velan(),
                        who.velan(),
                        not.velan(),
                        velanVerb,
                        what.velan(),
                        where.velan()),
                joined(who.oric(), when.oric(), where.oric(), what.object(), oricVerb, not.oric()));
    }

    private static String joined(String... words) {
        return Stream.of(words).filter(word -> !word.isEmpty()).collect(Collectors.joining(" "));
    }

    private static Stem placing(Choices choices) {
        var how = choices.pick(PLACINGS);
        var what = thing(choices);
        return new Stem(how.velan() + " " + what.velan(), what.oric() + " " + how.oric());
    }

    private static Phrase phrase(Choices choices) {
        if (choices.chance(0.25)) {
            var name = choices.pick(NAMES);
            return new Phrase(false, name, name, name + "am");
        }
        return thing(choices);
    }

    private static Phrase thing(Choices choices) {
        var noun = choices.pick(NOUNS);
        var adjectives = choices.pickDistinct(ADJECTIVES, choices.pick(NUMBERS_OF_ADJECTIVES));
        boolean plural = choices.chance(0.4);
        var number = plural ? "li" : "";
        var velan =
                adjectives.stream().map(each -> each.velan() + " ").collect(Collectors.joining());
        var oric = noun.stem().oric() + number;
        var after =
                adjectives.reversed().stream()
                        .map(each -> " " + each.oric() + noun.ending() + number)
                        .collect(Collectors.joining());
        return new Phrase(
                plural,
                "ka " + velan + noun.stem().velan() + (plural ? "n" : ""),
                oric + after,
                oric + noun.ending() + "m" + after);
    }
}
