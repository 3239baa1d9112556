package dev.outrider.experiment.stats;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.RoundRecord;
import dev.outrider.experiment.run.Side;
import dev.outrider.experiment.verify.Evidence;
import dev.outrider.spi.draft.Drafter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Everything a comparison found out about one side: what `details.json` holds of it, and what every table shows.
///
/// This is the only record of a side's numbers. What the numbers mean stands with the columns that show them; rates of nothing
/// are 0, for JSON has no NaN.
///
/// @param name                    of the side; `variant` in files
/// @param baseline                the plain decoding it is compared with; its own name if it is plain decoding
/// @param drafter                 name of the drafter, `none` for plain decoding
/// @param rule                    name of the acceptance rule that decides
/// @param temperature             of sampling; 0 is greedy
/// @param beams                   of its search; empty if it writes one text token by token
/// @param losslessness            what is promised about its output
/// @param evidence                tests of that promise on samples of the output
/// @param greedyIds               greedy output held against plain decoding's, prompt by prompt; empty where nothing was drafted
///                                or tokens are sampled
/// @param generations             measured generations
/// @param tokensPerSecond         of whole generations
/// @param speedup                 over plain decoding, paired by prompt and repetition
/// @param predictedSpeedup        from tokens per round and the mean times of rounds
/// @param predictedByAlphaAndCost the speedup of the formula, which knows alpha, K and c alone
/// @param tokensPerRound          emitted, the following token included
/// @param targetPasses            after the prompts
/// @param passesSaved             share of plain decoding's passes
/// @param rowsPerPass             mean number of rows of a target pass
/// @param alpha                   acceptance rate over the positions reached
/// @param draftAcceptanceRate     accepted over drafted
/// @param perPosition             by depth, accepted over drafts
/// @param conditionalPerPosition  by depth, accepted over tested
/// @param draftLength             K
/// @param draftSize               mean number of guesses in a draft
/// @param wastedTokens            guesses scored in vain
/// @param c                       one draft step over one target pass of one row
/// @param engineShare             the engine's part of a round
/// @param memoryBoundSpeedup      empty if a parameter count is unknown
/// @param latencyMillis           of first tokens and of tokens
/// @param meanNanos               mean times of a round
/// @param counts                  sums over all rounds
/// @param drafters                what each of several drafters earned; empty where one drafts alone
/// @param diagnosis               why the measured speedup is not the formula's; empty for plain decoding
/// @param course                  from the first prompts to the last; empty for plain decoding, and where no drafter of the run learns
/// @param standing                among the sides of one baseline; empty of one kind of prompts, and where an older version wrote it
public record SideResult(
        @JsonProperty("variant") String name,
        String baseline,
        String drafter,
        String rule,
        double temperature,
        Optional<Integer> beams,
        String losslessness,
        Optional<Evidence> evidence,
        Optional<GreedyIds> greedyIds,
        int generations,
        double tokensPerSecond,
        Interval speedup,
        double predictedSpeedup,
        double predictedByAlphaAndCost,
        double tokensPerRound,
        long targetPasses,
        double passesSaved,
        double rowsPerPass,
        double alpha,
        double draftAcceptanceRate,
        List<Double> perPosition,
        List<Double> conditionalPerPosition,
        double draftLength,
        double draftSize,
        long wastedTokens,
        double c,
        double engineShare,
        Optional<Double> memoryBoundSpeedup,
        Latency latencyMillis,
        RoundMeans meanNanos,
        DecodeMetrics counts,
        List<Earnings> drafters,
        Optional<Diagnosis> diagnosis,
        Optional<Course> course,
        Optional<Standing> standing) {
    private static final double NANOS_PER_SECOND = 1e9;

    public SideResult {
        perPosition = List.copyOf(perPosition);
        conditionalPerPosition = List.copyOf(conditionalPerPosition);
        drafters = List.copyOf(drafters);
    }

    /// Results of every side of a comparison that measured anything, in the order of its plan.
    ///
    /// @param evidence tests of sampled output by the name of the side
    public static List<SideResult> of(ComparisonResult result, Map<String, Evidence> evidence) {
        return of(result, evidence, Map.of());
    }

    /// As the other, with the standings of sides that are compared with one another.
    ///
    /// @param evidence  tests of sampled output by the name of the side
    /// @param standings by the name of the side
    public static List<SideResult> of(
            ComparisonResult result,
            Map<String, Evidence> evidence,
            Map<String, Standing> standings) {
        if (result.generations().isEmpty()) {
            return List.of();
        }
        Map<String, List<GenerationRecord>> bySide =
                result.generations().stream()
                        .collect(Collectors.groupingBy(GenerationRecord::side));
        return result.plan().sides().stream()
                .map(side ->
                        of(
                                side,
                                bySide.getOrDefault(side.name(), List.of()),
                                bySide.getOrDefault(side.baseline(), List.of()),
                                result.plan(),
                                Optional.ofNullable(evidence.get(side.name())),
                                GreedyIds.of(side, result),
                                Optional.ofNullable(standings.get(side.name()))))
                .toList();
    }

    private static SideResult of(
            Side side,
            List<GenerationRecord> own,
            List<GenerationRecord> plain,
            ComparisonPlan plan,
            Optional<Evidence> evidence,
            Optional<GreedyIds> greedyIds,
            Optional<Standing> standing) {
        DecodeMetrics metrics = metrics(own);
        DecodeMetrics plainMetrics = metrics(plain);
        List<RoundRecord> rounds =
                own.stream().flatMap(record -> record.rounds().stream()).toList();
        Interval speedup = Bootstrap.median(ratios(own, plain, plan.batch()), plan.seed());
        return new SideResult(
                side.name(),
                side.baseline(),
                side.drafter(),
                side.rule(),
                side.policy().temperature(),
                side.beams().map(BeamSettings::beams),
                side.exactness(),
                evidence,
                greedyIds,
                own.size(),
                tokensPerSecond(own),
                speedup,
                Finite.orZero(metrics.predictedSpeedup(plainMetrics)),
                Finite.orZero(metrics.theoreticalSpeedup(plainMetrics.passNanos())),
                Finite.orZero(metrics.tokensPerRound()),
                metrics.rounds(),
                Finite.orZero(metrics.passesSaved()),
                Finite.orZero(metrics.meanRows()),
                Finite.orZero(metrics.alpha()),
                Finite.orZero(metrics.draftAcceptanceRate()),
                metrics.acceptanceByPosition(),
                metrics.conditionalAcceptanceByPosition(),
                Finite.orZero(metrics.meanDraftLength()),
                Finite.orZero(metrics.meanDraftSize()),
                metrics.wasted(),
                Finite.orZero(metrics.costRatio(plainMetrics.passNanos())),
                Finite.orZero(metrics.engineShare()),
                memoryBound(side, metrics),
                Latency.of(own),
                RoundMeans.of(metrics, rounds),
                metrics,
                Earnings.of(rounds),
                side.plain()
                        ? Optional.empty()
                        : Optional.of(
                                Diagnosis.of(
                                        metrics,
                                        plainMetrics,
                                        tokensPerSecond(own) / tokensPerSecond(plain),
                                        speedup.median())),
                course(side, own, plan),
                standing);
    }

    private static Optional<Course> course(
            Side side, List<GenerationRecord> own, ComparisonPlan plan) {
        boolean compared = plan.sides().stream().anyMatch(Side::learns);
        return side.plain() || own.isEmpty() || !compared
                ? Optional.empty()
                : Optional.of(Course.of(side.learns(), own));
    }

    /// Whether this is plain decoding.
    public boolean plain() {
        return name.equals(baseline);
    }

    private static DecodeMetrics metrics(List<GenerationRecord> generations) {
        return generations.stream()
                .map(GenerationRecord::metrics)
                .reduce(DecodeMetrics.none(), DecodeMetrics::plus);
    }

    private static double tokensPerSecond(List<GenerationRecord> generations) {
        long tokens = generations.stream().mapToLong(record -> record.tokens().size()).sum();
        long nanos = generations.stream().mapToLong(GenerationRecord::wallNanos).sum();
        return nanos == 0 ? 0 : tokens * NANOS_PER_SECOND / nanos;
    }

    /// Ratios of time per token, of the prompts that were decoded together, grouped by these prompts.
    private static List<List<Double>> ratios(
            List<GenerationRecord> own, List<GenerationRecord> plain, int batch) {
        Map<Turn, Work> baseline = Turn.work(plain, batch);
        Map<Integer, List<Double>> byGroup = new TreeMap<>();
        Turn.work(own, batch)
                .forEach((turn, work) ->
                        Optional.ofNullable(baseline.get(turn))
                                .ifPresent(other ->
                                        byGroup.computeIfAbsent(
                                                        turn.group(), _ -> new ArrayList<>())
                                                .add(other.perToken() / work.perToken())));
        return List.copyOf(byGroup.values());
    }

    private static Optional<Double> memoryBound(Side side, DecodeMetrics metrics) {
        long parameters = side.decoder().target().description().parameters();
        Optional<Drafter> drafter = side.decoder().drafter();
        if (parameters <= 0 || drafter.isEmpty()) {
            return Optional.empty();
        }
        double share = (double) drafter.get().parameters() / parameters;
        return Optional.of(metrics.memoryBoundSpeedup(share));
    }
}
