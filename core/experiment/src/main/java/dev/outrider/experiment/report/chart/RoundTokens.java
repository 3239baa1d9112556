package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.report.read.TokenText;
import dev.outrider.experiment.sample.Samples;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// What became of every token of a round: the accepted path, what was thrown away, and the token that follows.
///
/// @param path     accepted guesses from the root on
/// @param rejected guesses that were verified and are not on the path
/// @param next     the token that the round adds after the path
public record RoundTokens(List<Token> path, List<Token> rejected, Token next) {
    public RoundTokens {
        path = List.copyOf(path);
        rejected = List.copyOf(rejected);
    }

    /// What became of a token; each has a sign beside its colour.
    public enum Mark {
        ACCEPTED("\u2713", "guess accepted"),
        REJECTED(
                "\u2717",
                "guess thrown away: rejected, after a rejected one, or on another branch"),
        CORRECTED("\u21BA", "drawn in place of a rejected guess"),
        BONUS("+", "free token after a draft that was accepted whole"),
        CUT_OFF("\u2702", "decided after the end");

        private final String sign;
        private final String meaning;

        Mark(String sign, String meaning) {
            this.sign = sign;
            this.meaning = meaning;
        }

        /// A sign for those who see no colour.
        public String sign() {
            return sign;
        }

        /// The mark in words.
        public String meaning() {
            return meaning;
        }

        /// The mark in a word or two.
        public String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        /// Class in style sheets.
        public String style() {
            return words().replace(' ', '-');
        }
    }

    /// A token.
    ///
    /// @param text with visible white space
    public record Token(Mark mark, String text) {
        static Token of(Mark mark, String text) {
            return new Token(mark, TokenText.visible(text));
        }
    }

    /// Read a round.
    public static RoundTokens of(Samples.Round round) {
        var path = new ArrayList<Token>();
        int emitted = 0;
        for (int node : round.accepted()) {
            if (node >= 1 && node <= round.nodes().size()) {
                Mark mark = emitted < round.emitted() ? Mark.ACCEPTED : Mark.CUT_OFF;
                path.add(Token.of(mark, round.nodes().get(node - 1).text()));
            }
            emitted++;
        }
        Set<Integer> accepted = new HashSet<>(round.accepted());
        var rejected = new ArrayList<Token>();
        for (int node = 1; node <= round.nodes().size(); node++) {
            var guess = round.nodes().get(node - 1);
            if (!accepted.contains(node) && guess.verified()) {
                rejected.add(Token.of(Mark.REJECTED, guess.text()));
            }
        }
        Mark next = round.bonus() ? Mark.BONUS : Mark.CORRECTED;
        return new RoundTokens(
                path,
                rejected,
                Token.of(emitted < round.emitted() ? next : Mark.CUT_OFF, round.next()));
    }
}
