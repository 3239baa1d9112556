package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The words of Velan and Oric, two artificial languages for this corpus. One Velan word is one
/// Oric word.
final class TwoLanguages {
    /// A word's stem in both.
    record Stem(String velan, String oric) {}

    /// A noun; Oric has two genders.
    record Noun(Stem stem, Gender gender) {}

    /// Genders of Oric, by the ending that agrees with them.
    enum Gender {
        FIRST("a"),
        SECOND("e");

        private final String ending;

        Gender(String ending) {
            this.ending = ending;
        }

        String ending() {
            return ending;
        }
    }

    static final List<Noun> NOUNS =
            Stream.concat(
                            nouns(
                                    Gender.FIRST,
                                    """
                                    vuke krumb, fumo dreg, mel yamb, dos grand, sasi thent, nil shik, vilo hosh,
                                    zure grosh, zomi tremb, vovi brip, pudi brilm, loke yest\
                                    """),
                            nouns(
                                    Gender.SECOND,
                                    """
                                    gari kroth, pami gromb, gol plamb, savo thunt, ses plig, vive wamb, fuse krost,
                                    zode brep, site wist, tosi yind, keto trind, ruvi thek\
                                    """))
                    .toList();

    static final List<Stem> VERBS =
            stems(
                    """
                    vimo plont, gum yish, redi grolm, remi wath, zuni jish, tin plorg, baso yelm, mom brost, belo skak,
                    mave krak, folo brirg, ziti hak\
                    """);

    static final List<Stem> ADJECTIVES =
            stems(
                    """
                    guk broth, dote wind, mivi thind, made shint, rod josh, buko plek, tiko grimb, take trith,
                    vuto thig, bid brulm\
                    """);

    static final List<Stem> TIMES = stems("neke trash, duse werg, leri plimb, gan jent");

    static final List<Stem> PLACINGS = stems("dodo drog, kole drek, gine trog");

    /// Names are the same in both.
    static final List<String> NAMES = Lexicon.PEOPLE.stream().limit(20).map(Person::name).toList();

    private TwoLanguages() {}

    private static Stream<Noun> nouns(Gender gender, String block) {
        return stems(block).stream().map(stem -> new Noun(stem, gender));
    }

    private static List<Stem> stems(String block) {
        var stems = new ArrayList<Stem>();
        for (var both : block.strip().split(",\\s+")) {
            var words = both.split(" ");
            stems.add(new Stem(words[0], words[1]));
        }
        return List.copyOf(stems);
    }
}
