package dev.outrider.experiment.lab;

import dev.outrider.engine.model.CostCurve.Reach;
import dev.outrider.engine.model.RoundChain;
import dev.outrider.experiment.costs.Costs;
import dev.outrider.experiment.lab.LabReport.Kind;
import dev.outrider.experiment.lab.Recording.RecordedVariant;
import dev.outrider.experiment.lab.Replay.Replays;
import dev.outrider.experiment.stats.Bootstrap;
import dev.outrider.experiment.stats.Interval;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Computes from a recording the results of every rule, length and tree that it supports. Immutable.
///
/// @param costs  costs of rounds
/// @param own    costs of rounds in the run, for parts that `costs` does not have
/// @param starts times before the rounds at these costs; if empty, only rounds count
public record Laboratory(
        Recording recording, Costs costs, Costs own, Optional<Starts> starts, Asked asked) {
    /// Makes a laboratory at the run's own costs.
    ///
    /// @throws dev.outrider.spi.error.OutriderException DATA_INVALID if the run's times are broken
    public static Laboratory atOwnCosts(Recording recording, Costs own, Asked asked) {
        return new Laboratory(
                recording,
                own,
                own,
                Optional.of(Starts.read(recording.folder(), recording.baselines())),
                asked);
    }

    /// Computes the report.
    public LabReport report() {
        return new LabReport(
                recording.folder().toString(),
                "%s (%s)".formatted(costs.name(), costs.origin()),
                costs.target().timed(),
                recording.seed(),
                recording.variants().parallelStream().map(this::variant).toList());
    }

    private LabReport.OfVariant variant(RecordedVariant variant) {
        var questions = Scenario.of(variant, asked);
        var answers = List.<LabReport.Answer>of();
        var positions = List.<LabReport.Position>of();
        var kinds = List.<Kind>of();
        var limits = List.<LabReport.Limit>of();
        if (variant.depth() > 0) {
            var replays = new Replays(variant);
            var prices =
                    Pricing.Prices.of(
                            costs,
                            own,
                            starts,
                            variant.variant().name(),
                            variant.variant().baseline());
            var pricing =
                    Pricing.of(prices, prices.again(costs, own), variant.texts(), recording.seed());
            answers =
                    questions.parallelStream()
                            .map(question ->
                                    answer(
                                            question,
                                            replays.of(question),
                                            pricing,
                                            recording.seed()))
                            .toList();
            positions = positions(variant);
            kinds = kinds(variant, questions, replays);
            limits =
                    Limits.of(
                            Scenario.of(
                                    variant, new Asked(asked.lengths(), asked.trees(), List.of())),
                            replays,
                            prices);
        }
        return new LabReport.OfVariant(
                variant.variant().name(),
                variant.variant().drafter(),
                Optional.of(variant.variant().temperature()),
                variant.texts().size(),
                variant.texts().stream().mapToInt(Recording.RecordedText::tokens).sum(),
                answers,
                positions,
                kinds,
                limits,
                Limits.Unanswered.of(variant, asked, questions, recording.folder()));
    }

    static LabReport.Answer answer(
            Scenario question, List<Replay> replays, Pricing pricing, long seed) {
        return new LabReport.Answer(
                question.draft(),
                question.rule(),
                question.length(),
                question.bound(),
                tokensPerRound(replays, seed),
                pricing.speedup(replays),
                Replay.Extrapolation.of(replays, pricing.prices().target()));
    }

    private static Interval tokensPerRound(List<Replay> replays, long seed) {
        return Bootstrap.ratio(replays, Replay::prompt, Replay::tokens, Replay::rounds, seed);
    }

    /// Returns the positions of rounds of the first rule, with drafts of the greatest length.
    private static List<LabReport.Position> positions(RecordedVariant variant) {
        int depth = variant.depth();
        var first = reference(variant, depth);
        double[] reached = new double[depth + 1];
        double[] block = new double[depth + 1];
        double[] overlap = new double[depth];
        double[] there = new double[depth];
        for (var text : variant.texts()) {
            var chain = new RoundChain(text.tokens());
            for (var draft : text.drafts()) {
                double[] kept = first.kept(draft);
                double begins = chain.next(kept);
                double[] best =
                        draft.drawn() ? SurvivalAlongText.block(draft, draft.depth()) : kept;
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
        var positions = new ArrayList<LabReport.Position>();
        for (int level = 1; level <= depth; level++) {
            positions.add(
                    new LabReport.Position(
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

    private static Scenario reference(RecordedVariant variant, int depth) {
        return Scenario.of(variant, new Asked(List.of(depth), List.of(), List.of())).getFirst();
    }

    private List<Kind> kinds(RecordedVariant variant, List<Scenario> questions, Replays replays) {
        var byKind = new LinkedHashMap<String, List<Integer>>();
        for (int text = 0; text < variant.texts().size(); text++) {
            byKind.computeIfAbsent(variant.texts().get(text).kind(), _ -> new ArrayList<>())
                    .add(text);
        }
        var first = reference(variant, variant.depth());
        var bound =
                variant.drawn() && variant.variant().temperature() > 0
                        ? Scenario.chain(Scenario.Kept.BLOCK, variant.depth())
                        : first;
        var kinds = new ArrayList<Kind>();
        byKind.forEach((kind, texts) -> {
            Function<Scenario, List<Replay>> own = each -> some(replays.of(each), texts);
            var best =
                    questions.stream()
                            .filter(question -> !question.bound())
                            .max(Comparator.comparingDouble(each -> rate(own.apply(each))))
                            .orElse(first);
            var usual = tokensPerRound(own.apply(first), recording.seed());
            var most = tokensPerRound(own.apply(best), recording.seed());
            double limit = rate(own.apply(bound));
            kinds.add(new Kind(kind, usual, most, best.draft(), best.rule(), limit));
        });
        return Collections.unmodifiableList(kinds);
    }

    private static List<Replay> some(List<Replay> all, List<Integer> texts) {
        return texts.stream().map(all::get).toList();
    }

    private static double rate(List<Replay> replays) {
        double tokens = 0;
        double rounds = 0;
        for (var replay : replays) {
            tokens += replay.tokens();
            rounds += replay.rounds();
        }
        return tokens / rounds;
    }

    /// Returns the answer of highest speedup whose whole interval is above 1, over all variants. Answers with passes longer than
    /// any timed pass are left out.
    public static Optional<Plan> cheapest(LabReport report) {
        return report.variants().stream()
                .flatMap(variant ->
                        variant.answers().stream()
                                .filter(answer -> !answer.bound() && answer.speedup().above(1))
                                .filter(answer -> answer.passes() != Reach.BEYOND)
                                .map(answer -> new Plan(variant.variant(), answer)))
                .max(Comparator.comparingDouble(plan -> plan.answer().speedup().value()));
    }

    /// The plan of a run.
    ///
    /// @param variant the variant whose drafter it uses
    /// @param answer  the draft and the rule
    public record Plan(String variant, LabReport.Answer answer) {}
}
