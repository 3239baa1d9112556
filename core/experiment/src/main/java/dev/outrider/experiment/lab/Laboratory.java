package dev.outrider.experiment.lab;

import dev.outrider.engine.prediction.RoundChain;
import dev.outrider.experiment.costs.Costs;
import dev.outrider.experiment.lab.LabReport.Answer;
import dev.outrider.experiment.lab.LabReport.Kind;
import dev.outrider.experiment.lab.LabReport.Position;
import dev.outrider.experiment.lab.LabReport.Variant;
import dev.outrider.experiment.stats.SumRatio;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/// Answers from a recording what every rule, length and tree that it supports would have given. Immutable.
public final class Laboratory {
    private static final int DEEPEST_SHOWN = 16;

    private final Recording recording;
    private final Costs costs;
    private final Costs own;
    private final List<Integer> lengths;
    private final List<List<Integer>> trees;

    /// @param costs   what rounds take
    /// @param own     what they took in the run, for what the costs leave out
    /// @param lengths draft lengths to ask about; empty for those up to the recorded ones
    /// @param trees   widths by level of trees to ask about
    public Laboratory(
            Recording recording,
            Costs costs,
            Costs own,
            List<Integer> lengths,
            List<List<Integer>> trees) {
        this.recording = recording;
        this.costs = costs;
        this.own = own;
        this.lengths = List.copyOf(lengths);
        this.trees = List.copyOf(trees);
    }

    /// Answers.
    public LabReport report() {
        return new LabReport(
                recording.folder().toString(),
                "%s (%s)".formatted(costs.name(), costs.origin()),
                costs.target().points(),
                recording.seed(),
                recording.sides().stream().map(this::variant).toList());
    }

    private Variant variant(RecordedSide side) {
        var answers = new ArrayList<Answer>();
        var positions = List.<Position>of();
        var kinds = List.<Kind>of();
        var questions = Question.of(side, lengths(side), trees);
        if (!questions.isEmpty()) {
            var prices = new Prices(costs, own, side.side().name(), side.side().baseline());
            questions.forEach(question -> answers.add(answer(side.texts(), question, prices)));
            positions = positions(side);
            kinds = kinds(side, questions, prices);
        }
        return new Variant(
                side.side().name(),
                side.side().drafter(),
                side.side().temperature(),
                side.texts().size(),
                side.texts().stream().mapToInt(RecordedText::tokens).sum(),
                answers,
                positions,
                kinds,
                Unanswered.of(side, recording.folder()));
    }

    private List<Integer> lengths(RecordedSide side) {
        if (!lengths.isEmpty()) {
            return lengths;
        }
        var all = new ArrayList<Integer>();
        for (int length = 1; length <= Math.min(side.depth(), DEEPEST_SHOWN); length++) {
            all.add(length);
        }
        if (side.depth() > DEEPEST_SHOWN) {
            all.add(side.depth());
        }
        return all;
    }

    private Answer answer(List<RecordedText> texts, Question question, Prices prices) {
        var rounds = new LinkedHashMap<String, double[]>();
        for (var text : texts) {
            var replay = Replay.of(text, question, prices);
            var sums = rounds.computeIfAbsent(text.prompt(), _ -> new double[4]);
            sums[0] += text.tokens();
            sums[1] += replay.rounds();
            sums[2] += text.tokens() * prices.plain();
            sums[3] += replay.nanos();
        }
        return new Answer(
                question.draft(),
                question.rule(),
                question.length(),
                question.bound(),
                SumRatio.of(column(rounds, 0), column(rounds, 1), recording.seed()),
                SumRatio.of(column(rounds, 2), column(rounds, 3), recording.seed()));
    }

    private static double[] column(Map<String, double[]> sums, int index) {
        return sums.values().stream().mapToDouble(each -> each[index]).toArray();
    }

    /// Rounds as the first rule has them, with drafts of the greatest length.
    private static List<Position> positions(RecordedSide side) {
        int depth = side.depth();
        var first = reference(side, depth);
        double[] reached = new double[depth + 1];
        double[] block = new double[depth + 1];
        double[] overlap = new double[depth];
        double[] there = new double[depth];
        for (var text : side.texts()) {
            var chain = new RoundChain(text.tokens());
            for (var draft : text.drafts()) {
                double[] kept = first.kept(draft);
                double begins = chain.next(kept);
                double[] best = draft.drawn() ? KeptAlongText.block(draft, draft.depth()) : kept;
                for (int level = 0; level < kept.length; level++) {
                    reached[level] += begins * kept[level];
                    block[level] += begins * best[level];
                }
                for (int level = 0; level < draft.depth(); level++) {
                    boolean on = draft.p()[level] > 0;
                    overlap[level] += on ? begins * kept[level] * draft.overlap()[level] : 0;
                    there[level] += on ? begins * kept[level] : 0;
                }
            }
        }
        var positions = new ArrayList<Position>();
        for (int level = 1; level <= depth; level++) {
            positions.add(
                    new Position(
                            level,
                            share(reached[level - 1], reached[0]),
                            share(reached[level], reached[level - 1]),
                            share(block[level], block[level - 1]),
                            share(overlap[level - 1], there[level - 1])));
        }
        return positions;
    }

    private static double share(double part, double whole) {
        return whole > 0 ? part / whole : 0;
    }

    private static Question reference(RecordedSide side, int depth) {
        return Question.of(side, List.of(depth), List.of()).getFirst();
    }

    private List<Kind> kinds(RecordedSide side, List<Question> questions, Prices prices) {
        var byKind = new LinkedHashMap<String, List<RecordedText>>();
        side.texts()
                .forEach(text ->
                        byKind.computeIfAbsent(text.kind(), _ -> new ArrayList<>()).add(text));
        var kinds = new ArrayList<Kind>();
        byKind.forEach((kind, texts) -> {
            var first = answer(texts, reference(side, side.depth()), prices);
            var best =
                    questions.stream()
                            .filter(question -> !question.bound())
                            .map(question -> answer(texts, question, prices))
                            .max(Comparator.comparingDouble(rate()))
                            .orElse(first);
            double bound =
                    side.drawn()
                            ? answer(
                                            texts,
                                            new Question.Chain(
                                                    Question.Chain.Rule.BLOCK, side.depth()),
                                            prices)
                                    .tokensPerRound()
                                    .value()
                            : first.tokensPerRound().value();
            kinds.add(
                    new Kind(
                            kind,
                            first.tokensPerRound(),
                            best.tokensPerRound(),
                            best.draft(),
                            best.rule(),
                            bound));
        });
        return Collections.unmodifiableList(kinds);
    }

    private static ToDoubleFunction<Answer> rate() {
        return answer -> answer.tokensPerRound().value();
    }

    /// The answer of highest speedup whose whole interval is above 1, over all variants.
    public static Optional<Plan> cheapest(LabReport report) {
        return report.variants().stream()
                .flatMap(variant ->
                        variant.answers().stream()
                                .filter(answer -> !answer.bound() && answer.speedup().low() > 1)
                                .map(answer -> new Plan(variant.variant(), answer)))
                .max(Comparator.comparingDouble(plan -> plan.answer().speedup().value()));
    }

    /// What to run.
    ///
    /// @param variant whose drafter
    /// @param answer  with what draft and rule
    public record Plan(String variant, Answer answer) {}
}
