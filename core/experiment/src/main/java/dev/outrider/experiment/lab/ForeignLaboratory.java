package dev.outrider.experiment.lab;

import dev.outrider.experiment.costs.Costs;
import dev.outrider.experiment.lab.ForeignRounds.Rounds;
import dev.outrider.experiment.lab.LabReport.Kept;
import dev.outrider.experiment.lab.Recording.RecordedDraft;
import dev.outrider.experiment.lab.Recording.RecordedText;
import dev.outrider.experiment.stats.Interval;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Answers what shorter drafts would have given in the rounds of another engine (docs/reference/algorithms.md A20.1). Immutable.
///
/// @param widths  children of a node at each level of its drafts; ones of a chain
/// @param costs   of the rounds
/// @param drafter whose drafts they are in the costs; without one drafts are free
public record ForeignLaboratory(
        ForeignRounds rounds,
        List<Integer> widths,
        Costs costs,
        Optional<String> drafter,
        Asked asked) {
    private static final long SEED = 0;

    /// Answers.
    public LabReport report() {
        var chances = Chances.of(rounds.texts(), widths.size());
        var texts = rounds.texts().stream().map(chances::text).toList();
        var plain =
                costs.engine().keySet().stream()
                        .filter(name -> !costs.drafters().containsKey(name))
                        .sorted()
                        .findFirst();
        var prices =
                Pricing.Prices.of(
                        costs, costs, Optional.empty(), drafter.orElse(""), plain.orElse(""));
        var pricing = Pricing.of(prices, prices.again(costs, costs), texts, SEED);
        var answers = questions(widths, asked).stream().map(question -> Laboratory.answer(question, texts.stream().map(text -> Replay.of(text, question)).toList(), pricing, SEED)).toList();
        var variant =
                new LabReport.OfVariant(
                        "rounds of another engine",
                        drafter.orElse("drafts taken as free"),
                        Optional.empty(),
                        texts.size(),
                        texts.stream().mapToInt(RecordedText::tokens).sum(),
                        answers,
                        IntStream.rangeClosed(0, widths.size()).mapToObj(this::kept).toList(),
                        List.of(),
                        List.of(),
                        List.of(),
                        unanswered());
        return new LabReport(
                rounds.file().toString(),
                "%s (%s)".formatted(costs.name(), costs.origin()),
                costs.target().timed(),
                SEED,
                List.of(variant));
    }

    /// Rows of the passes that have to be priced.
    public static List<Integer> rows(List<Integer> widths, Asked asked) {
        var draft = Chances.draft(new double[widths.size()]);
        var rows = questions(widths, asked).stream().map(question -> question.rows(draft));
        return Stream.concat(Stream.of(1), rows).toList();
    }

    private static List<Scenario> questions(List<Integer> widths, Asked asked) {
        var rule = List.of("its own");
        boolean chain = Collections.max(widths) == 1;
        return Scenario.lengths(widths.size(), asked).stream()
                .map(length -> widths.subList(0, length))
                .map(cut -> new Scenario(chain ? "chain" : "tree " + Scenario.spelled(cut), rule, Scenario.Kept.MATCH, cut, false))
                .toList();
    }

    private Kept kept(int guesses) {
        return new Kept(guesses, share(guesses, guesses), share(guesses, widths.size()));
    }

    private Interval share(int least, int most) {
        return Laboratory.ratio(
                rounds.texts(),
                Rounds::prompt,
                text -> Arrays.stream(text.kept()).filter(n -> n >= least && n <= most).count(),
                text -> text.kept().length,
                SEED);
    }

    private List<String> unanswered() {
        var rules = asked.rules().isEmpty() ? "other rules" : "the rules " + asked.rules();
        return List.of(
                "drafts longer than %d: no round says whether a guess after it would be kept.".formatted(widths.size()),
                "%s: what they keep follows from p and q of every guess, which the file does not have; 'outrider bench --record' writes them.".formatted(rules),
                "lengths that change from round to round.");
    }

    /// What rounds of the recorded length kept at each level of those that got there, and what others would at each token.
    private record Chances(double[] kept) {
        static Chances of(List<Rounds> texts, int depth) {
            double[] there = new double[depth];
            double[] kept = new double[depth];
            for (var text : texts) {
                for (int round = 0; round < text.kept().length; round++) {
                    int guesses = text.kept()[round];
                    // A text's end may have cut the last one.
                    int known = guesses + (round < text.kept().length - 1 ? 1 : 0);
                    for (int level = 0; level < Math.min(depth, known); level++) {
                        there[level]++;
                        kept[level] += level < guesses ? 1 : 0;
                    }
                }
            }
            for (int level = 0; level < depth; level++) {
                kept[level] /= Math.max(1, there[level]);
            }
            return new Chances(kept);
        }

        static RecordedDraft draft(double... kept) {
            var ones = new int[kept.length];
            Arrays.fill(ones, 1);
            return new RecordedDraft(true, kept, kept, kept, ones, ones);
        }

        RecordedText text(Rounds text) {
            // The level that guessed a token; below 0 of a wrong guess, 0 of a token after a whole draft.
            var levels = new int[Math.toIntExact(text.tokens())];
            int at = 0;
            for (int guesses : text.kept()) {
                for (int level = 1; level <= guesses; level++) {
                    levels[at++] = level;
                }
                levels[at++] = guesses < kept.length ? -guesses - 1 : 0;
            }
            var drafts =
                    new AbstractList<RecordedDraft>() {
                        @Override
                        public RecordedDraft get(int position) {
                            double[] chances = new double[kept.length];
                            int end = Math.min(kept.length, levels.length - position);
                            for (int level = 0; level < end; level++) {
                                chances[level] = chance(levels[position + level], level + 1);
                            }
                            return draft(chances);
                        }

                        @Override
                        public int size() {
                            return levels.length - 1;
                        }
                    };
            return new RecordedText(text.prompt(), "", 0, levels.length, drafts);
        }

        private double chance(int known, int level) {
            double here = kept[level - 1];
            if (known == 0) {
                return Math.max(here, kept[kept.length - 1]);
            }
            double there = kept[Math.abs(known) - 1];
            if (known > 0) {
                return level <= known || here >= there ? 1 : here / there;
            }
            return level >= -known || here <= there ? 0 : (here - there) / (1 - there);
        }
    }
}
