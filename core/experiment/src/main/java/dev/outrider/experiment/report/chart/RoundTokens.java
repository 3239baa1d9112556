package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.run.Samples;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The fate of every token of a round: the accepted path, the rejected tokens, and the token that follows.
///
/// @param path     accepted guesses from the root on
/// @param rejected guesses that were verified and are not on the path
/// @param next     the token that the round adds after the path
public record RoundTokens(List<Token> path, List<Token> rejected, Token next) {
    /// The fate of a token; each has a sign beside its colour.
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

    /// The sampled rounds of one variant, as reports show them.
    ///
    /// @param label  of the variant, distinct within the results
    /// @param prompt id of the prompt
    /// @param text   the prompt
    /// @param source the source, of an encoder-decoder
    /// @param rounds in order, from the first
    /// @param same   label of an earlier variant that decided the same in every round of the same prompt
    public record SampledRounds(
            String label,
            String prompt,
            String text,
            Optional<String> source,
            List<Samples.Round> rounds,
            Optional<String> same) {
        private static final int MAX_VARIANTS = 12;
        private static final int MAX_ROUNDS = 40;

        /// The first twelve variants whose rounds differ, and those between them that repeat one of them.
        public static List<SampledRounds> of(Results results) {
            var all = new ArrayList<SampledRounds>();
            int drawn = 0;
            for (Cell cell : results.cells()) {
                if (cell.samples().isEmpty()) {
                    continue;
                }
                Samples samples = cell.samples().get();
                for (Samples.OfVariant variant : samples.variants()) {
                    var rounds =
                            variant.rounds()
                                    .subList(0, Math.min(MAX_ROUNDS, variant.rounds().size()));
                    Optional<String> same = same(all, samples, rounds);
                    if (same.isPresent() || drawn++ < MAX_VARIANTS) {
                        all.add(
                                new SampledRounds(
                                        results.label(cell, variant.name()),
                                        samples.prompt(),
                                        samples.text(),
                                        samples.source(),
                                        rounds,
                                        same));
                    }
                }
            }
            return all;
        }

        private static Optional<String> same(
                List<SampledRounds> earlier, Samples samples, List<Samples.Round> rounds) {
            return earlier.stream()
                    .filter(each -> each.same().isEmpty() && !rounds.isEmpty())
                    .filter(each ->
                            each.prompt().equals(samples.prompt())
                                    && each.text().equals(samples.text())
                                    && each.source().equals(samples.source())
                                    && each.rounds().equals(rounds))
                    .map(SampledRounds::label)
                    .findFirst();
        }
    }

    /// A token as one can see it: white space has signs of its own.
    public static final class TokenText {
        private TokenText() {}

        /// The text of a token with visible spaces.
        public static String visible(String text) {
            return text.isEmpty()
                    ? "\u2205"
                    : text.replace(' ', '\u2423')
                            .replace("\r", "\u240D")
                            .replace("\n", "\u23CE")
                            .replace("\t", "\u21E5");
        }
    }
}
