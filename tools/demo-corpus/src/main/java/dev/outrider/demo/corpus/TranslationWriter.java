package dev.outrider.demo.corpus;

import dev.outrider.demo.corpus.TwoLanguages.Gender;
import dev.outrider.demo.corpus.TwoLanguages.Noun;
import dev.outrider.demo.corpus.TwoLanguages.Stem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Sentences of one artificial language and their only translation into another.
///
/// Velan's order is: time, subject, verb, recipient, place. Adjectives are before their noun, `ka`
/// before both; nouns have `-n` in the plural, verbs an ending of tense; `ne` before the verb
/// negates it. Oric's order is: subject, time, place, recipient, verb. Adjectives follow their noun
/// in the reverse order and agree with its gender and number, as the ending of the object does; the
/// verb agrees with the number of the subject; the word of place follows its noun; `mo` after the
/// verb negates it.
final class TranslationWriter {
    /// Tenses, by the ending of a verb in both languages.
    private enum Tense {
        PAST("d", "ok"),
        PRESENT("r", "u"),
        FUTURE("sh", "im");

        private final String velan;
        private final String oric;

        Tense(String velan, String oric) {
            this.velan = velan;
            this.oric = oric;
        }
    }

    /// A noun phrase: a person by name, or a thing.
    private sealed interface Phrase {
        boolean plural();

        String velan();

        String oric(boolean object);
    }

    private record Named(String name) implements Phrase {
        @Override
        public boolean plural() {
            return false;
        }

        @Override
        public String velan() {
            return name;
        }

        @Override
        public String oric(boolean object) {
            return object ? name + Gender.FIRST.ending() + "m" : name;
        }
    }

    private record Thing(Noun noun, List<Stem> adjectives, boolean plural) implements Phrase {
        @Override
        public String velan() {
            var words = new ArrayList<>(List.of("ka"));
            adjectives.forEach(adjective -> words.add(adjective.velan()));
            words.add(noun.stem().velan() + (plural ? "n" : ""));
            return String.join(" ", words);
        }

        @Override
        public String oric(boolean object) {
            var ending = noun.gender().ending();
            var number = plural ? "li" : "";
            var words = new ArrayList<String>();
            words.add(noun.stem().oric() + number + (object ? ending + "m" : ""));
            adjectives
                    .reversed()
                    .forEach(adjective -> words.add(adjective.oric() + ending + number));
            return String.join(" ", words);
        }
    }

    /// The place of an action.
    private record Placing(Stem how, Phrase what) {}

    private record Clause(
            Optional<Stem> when,
            Phrase who,
            Stem verb,
            Tense tense,
            boolean denied,
            Phrase what,
            Optional<Placing> where) {
        String velan() {
            var words = new ArrayList<String>();
            when.ifPresent(time -> words.add(time.velan()));
            words.add(who.velan());
            if (denied) {
                words.add("ne");
            }
            words.add(verb.velan() + tense.velan);
            words.add(what.velan());
            where.ifPresent(place -> {
                words.add(place.how().velan());
                words.add(place.what().velan());
            });
            return String.join(" ", words);
        }

        String oric() {
            var words = new ArrayList<String>();
            words.add(who.oric(false));
            when.ifPresent(time -> words.add(time.oric()));
            where.ifPresent(place -> {
                words.add(place.what().oric(false));
                words.add(place.how().oric());
            });
            words.add(what.oric(true));
            words.add(verb.oric() + tense.oric + (who.plural() ? "n" : ""));
            if (denied) {
                words.add("mo");
            }
            return String.join(" ", words);
        }
    }

    private TranslationWriter() {}

    static SourceAndAnswer write(Choices choices) {
        var first = clause(choices);
        if (choices.chance(0.75)) {
            return new SourceAndAnswer(first.velan() + ".", first.oric() + ".");
        }
        var second = clause(choices);
        return new SourceAndAnswer(
                "%s en %s.".formatted(first.velan(), second.velan()),
                "%s, yo %s.".formatted(first.oric(), second.oric()));
    }

    private static Clause clause(Choices choices) {
        return new Clause(
                choices.chance(0.4)
                        ? Optional.of(choices.pick(TwoLanguages.TIMES))
                        : Optional.empty(),
                phrase(choices),
                choices.pick(TwoLanguages.VERBS),
                choices.pick(List.of(Tense.values())),
                choices.chance(0.2),
                phrase(choices),
                choices.chance(0.4)
                        ? Optional.of(
                                new Placing(choices.pick(TwoLanguages.PLACINGS), thing(choices)))
                        : Optional.empty());
    }

    private static Phrase phrase(Choices choices) {
        return choices.chance(0.25) ? new Named(choices.pick(TwoLanguages.NAMES)) : thing(choices);
    }

    private static Phrase thing(Choices choices) {
        return new Thing(
                choices.pick(TwoLanguages.NOUNS),
                choices.pickDistinct(TwoLanguages.ADJECTIVES, choices.pick(List.of(0, 1, 1, 2))),
                choices.chance(0.4));
    }
}
