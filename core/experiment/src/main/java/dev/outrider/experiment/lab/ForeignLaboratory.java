package dev.outrider.experiment.lab;

import dev.outrider.experiment.costs.Costs;
import dev.outrider.experiment.lab.ForeignRounds.Rounds;
import dev.outrider.experiment.lab.Recording.RecordedDraft;
import dev.outrider.experiment.lab.Recording.RecordedText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/// Computes what shorter drafts would have given in the rounds of another engine (docs/reference/algorithms.md A20.1). Immutable.
///
/// @param widths  children of a node at each level of its drafts; all 1 for a chain
/// @param costs   of the rounds
/// @param drafter name of the drafter whose draft costs are used; if empty, drafts are free
public record ForeignLaboratory(
        ForeignRounds rounds,
        List<Integer> widths,
        Costs costs,
        Optional<String> drafter,
        Asked asked) {
    private static final long SEED = 0;

    private static final String UNANSWERED =
            "drafts longer than %1$d, and other rules: no round says whether a later guess would be kept, nor has the file p and q of guesses, which 'outrider bench --record' writes. Every round is taken to have drafted all %1$d; shorter drafts and trees that change are not told apart.";

    private static final String UNORDERED =
            "the order of rounds: the file only counts them, so shorter drafts look up to some per cent better than they are.";

    /// The name of plain decoding in costs.
    private static final String PLAIN = "plain";

    /// Computes the report.
    public LabReport report() {
        double[] kept = kept();
        var texts = rounds.texts().stream().map(text -> text(text, kept)).toList();
        var name = drafter.orElse("drafts taken as free");
        // Plain decoding has no drafts, but the engine's own time.
        var named = drafter.orElse(PLAIN);
        var prices = Pricing.Prices.of(costs, costs, Optional.empty(), named, PLAIN);
        var pricing = Pricing.of(prices, prices.again(costs, costs), texts, SEED);
        var answers = new ArrayList<LabReport.Answer>();
        for (var question : questions(widths, asked)) {
            var replays = texts.stream().map(text -> Replay.of(text, question)).toList();
            answers.add(Laboratory.answer(question, replays, pricing, SEED));
        }
        var variant =
                new LabReport.OfVariant(
                        "rounds of another engine",
                        name,
                        Optional.empty(),
                        texts.size(),
                        texts.stream().mapToInt(RecordedText::tokens).sum(),
                        answers,
                        List.of(),
                        List.of(),
                        List.of(),
                        rounds.ordered()
                                ? List.of(UNANSWERED.formatted(widths.size()))
                                : List.of(UNANSWERED.formatted(widths.size()), UNORDERED));
        return new LabReport(
                rounds.file().toString(),
                "%s (%s)".formatted(costs.name(), costs.origin()),
                costs.target().timed(),
                SEED,
                List.of(variant));
    }

    private static List<Scenario> questions(List<Integer> widths, Asked asked) {
        String draft = Collections.max(widths) == 1 ? "chain" : "tree " + Scenario.spelled(widths);
        return Scenario.lengths(widths.size(), asked).stream()
                .map(length -> Scenario.foreign(draft, widths.subList(0, length)))
                .toList();
    }

    /// Returns the share of rounds that accepted a node at each level, among the rounds that reached that level.
    private double[] kept() {
        double[] there = new double[widths.size()];
        double[] kept = new double[widths.size()];
        for (var text : rounds.texts()) {
            for (int round = 0; round < text.kept().length; round++) {
                // A text's end may have cut the last one.
                boolean cut = rounds.ordered() && round == text.kept().length - 1;
                int known = text.kept()[round] + (cut ? 0 : 1);
                for (int level = 0; level < Math.min(there.length, known); level++) {
                    there[level]++;
                    kept[level] += level < text.kept()[round] ? 1 : 0;
                }
            }
        }
        Arrays.setAll(kept, level -> kept[level] / Math.max(1, there[level]));
        return kept;
    }

    /// Returns the draft of every position, with the chance of each guess to be kept as its q.
    private RecordedText text(Rounds text, double... kept) {
        // The level that guessed each token: below 0 for a wrong guess, 0 for a token after a whole
        // draft.
        var levels = IntStream.builder();
        for (int guesses : text.kept()) {
            IntStream.rangeClosed(1, guesses).forEach(levels::add);
            levels.add(guesses < kept.length ? -guesses - 1 : 0);
        }
        int[] known = levels.build().toArray();
        var drafts =
                IntStream.range(0, known.length - 1)
                        .mapToObj(at -> Arrays.copyOfRange(known, at, at + kept.length))
                        .map(ahead ->
                                draft(kept.length, level -> chance(kept, ahead[level], level)))
                        .toList();
        return new RecordedText(text.prompt(), "", 0, known.length, drafts);
    }

    private static RecordedDraft draft(int depth, IntToDoubleFunction chance) {
        double[] chances = IntStream.range(0, depth).mapToDouble(chance).toArray();
        int[] ones = IntStream.generate(() -> 1).limit(depth).toArray();
        return new RecordedDraft(true, chances, chances, chances, ones, ones);
    }

    private static double chance(double[] kept, int known, int level) {
        double here = kept[level];
        if (known == 0) {
            return Math.max(here, kept[kept.length - 1]);
        }
        double there = kept[Math.abs(known) - 1];
        if (known > 0) {
            return level < known || here >= there ? 1 : here / there;
        }
        return level >= -known - 1 || here <= there ? 0 : (here - there) / (1 - there);
    }
}
