package dev.outrider.experiment.lab;

import dev.outrider.experiment.costs.Costs;
import dev.outrider.experiment.lab.ForeignRounds.Rounds;
import dev.outrider.experiment.lab.LabReport.Answer;
import dev.outrider.experiment.lab.LabReport.Kept;
import dev.outrider.experiment.lab.Recording.RecordedDraft;
import dev.outrider.experiment.lab.Recording.RecordedText;
import dev.outrider.experiment.stats.Interval;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

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
    private static final String RULE = "its own";
    private static final long SEED = 0;

    /// The first length of Transformers' heuristic.
    private static final int INITIAL = 5;

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
        var answers = new ArrayList<Answer>();
        for (var question : questions(widths, asked)) {
            var replays = texts.stream().map(text -> Replay.of(text, question)).toList();
            answers.add(answer(question.draft(), question.length(), replays, pricing));
        }
        if (chain(widths) && widths.size() > 1) {
            var replays = texts.stream().map(text -> heuristic(text, widths.size())).toList();
            answers.add(answer("chain, heuristic length", widths.size(), replays, pricing));
        }
        var variant =
                new LabReport.OfVariant(
                        "rounds of another engine",
                        drafter.orElse("drafts taken as free"),
                        Optional.empty(),
                        texts.size(),
                        texts.stream().mapToInt(RecordedText::tokens).sum(),
                        answers,
                        kept(),
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
        return questions(widths, asked).stream().map(question -> question.rows(draft)).toList();
    }

    private static List<Scenario> questions(List<Integer> widths, Asked asked) {
        return Scenario.lengths(widths.size(), asked).stream()
                .map(length -> widths.subList(0, length))
                .map(cut ->
                        new Scenario(
                                chain(widths) ? "chain" : "tree " + Scenario.spelled(cut),
                                List.of(RULE),
                                Scenario.Kept.MATCH,
                                cut,
                                false))
                .toList();
    }

    private static boolean chain(List<Integer> widths) {
        return widths.stream().allMatch(width -> width == 1);
    }

    private static Answer answer(
            String draft, int length, List<Replay> replays, Pricing pricing) {
        return new Answer(
                draft,
                RULE,
                length,
                false,
                Laboratory.tokensPerRound(replays, SEED),
                pricing.speedup(replays),
                Replay.Extrapolation.of(replays, pricing.prices().target()));
    }

    /// Rounds whose length is two more after one that kept everything, and one less after any other.
    static Replay heuristic(RecordedText text, int most) {
        var byRows = new TreeMap<Integer, Double>();
        double drafts = 0;
        double steps = 0;
        // By position, as far as a round reaches, and by the length that a round has there.
        double[][] begins = new double[most + 2][most + 1];
        begins[0][Math.min(INITIAL, most)] = 1;
        for (int at = 0; at < text.tokens() - 1; at++) {
            double[] here = begins[at % begins.length];
            double[] kept = SurvivalAlongText.match(text.drafts().get(at), most);
            for (int length = 1; length <= most; length++) {
                byRows.merge(length + 1, here[length], Double::sum);
                drafts += here[length];
                steps += here[length] * length;
                for (int more = 0; more < length; more++) {
                    begins[(at + more + 1) % begins.length][Math.max(1, length - 1)] +=
                            here[length] * (kept[more] - kept[more + 1]);
                }
                begins[(at + length + 1) % begins.length][Math.min(most, length + 2)] +=
                        here[length] * kept[length];
            }
            Arrays.fill(here, 0);
        }
        byRows.merge(
                1,
                Arrays.stream(begins[(text.tokens() - 1) % begins.length]).sum(),
                Double::sum);
        return new Replay(
                text.prompt(), text.tokens(), byRows, drafts, new TreeMap<>(Map.of(1, steps)));
    }

    private List<Kept> kept() {
        return IntStream.rangeClosed(0, widths.size())
                .mapToObj(guesses ->
                        new Kept(
                                guesses,
                                share(text -> text.between(guesses, guesses)),
                                share(text -> text.between(guesses, widths.size()))))
                .toList();
    }

    private Interval share(ToIntFunction<Rounds> counted) {
        return Laboratory.ratio(
                rounds.texts(), Rounds::prompt, counted::applyAsInt, text -> text.kept().length, SEED);
    }

    private List<String> unanswered() {
        var notes = new ArrayList<String>();
        notes.add(
                "longer drafts than %d: no round shows whether a guess after it would be kept."
                        .formatted(widths.size()));
        notes.add(
                "the rule %s: what another rule keeps follows from p and q of every guess, which the file does not have; 'outrider bench --record' writes them."
                        .formatted(asked.rules().isEmpty() ? "of your choice" : asked.rules()));
        notes.add("lengths that follow a drafter's confidence: the file has none.");
        if (!rounds.ordered()) {
            notes.add("the order of rounds: the file counts them, and they are in a random order.");
        }
        if (rounds.texts().stream().map(Rounds::prompt).distinct().count() == 1) {
            notes.add("how much prompts differ: there is one, or a sum over all.");
        }
        return notes;
    }

    /// What rounds of the recorded length kept at each level of those that got there, and what others would at each token.
    private record Chances(double[] kept) {
        static Chances of(List<Rounds> texts, int depth) {
            double[] there = new double[depth];
            double[] kept = new double[depth];
            for (var text : texts) {
                for (int round = 0; round < text.kept().length; round++) {
                    int guesses = text.kept()[round];
                    for (int level = 0; level < guesses; level++) {
                        there[level]++;
                        kept[level]++;
                    }
                    // A text's end may have cut the last one.
                    if (guesses < depth && round < text.kept().length - 1) {
                        there[guesses]++;
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
            var levels = new int[text.tokens()];
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
