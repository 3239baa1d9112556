package dev.outrider.experiment.stats;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.ComparisonResult.Mismatch;
import dev.outrider.experiment.run.DrafterContribution;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.RoundRecord;
import dev.outrider.experiment.run.Variant;
import dev.outrider.experiment.stats.Diagnosis.Finite;
import dev.outrider.experiment.verify.Evidence;
import dev.outrider.experiment.verify.VerificationSettings;
import dev.outrider.spi.draft.Drafter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/// All results of a comparison about one variant: the content of `details.json` about it, and the numbers of every table.
///
/// This is the only record of a variant's numbers. The columns that show the numbers define them. Rates without observations are 0,
/// because JSON has no NaN.
///
/// @param name          of the variant; `variant` in files
/// @param baseline      the plain decoding it is compared with; its own name if it is plain decoding
/// @param drafter       name of the drafter, `none` for plain decoding
/// @param rule          name of the acceptance rule
/// @param temperature   of sampling; 0 is greedy
/// @param sampling      the temperature and other settings that are not the default, in words; empty in results of earlier versions
/// @param beams         number of beams of its search; empty if it writes one text token by token
/// @param exactness     the promise about the output, and tests of it
/// @param speed         times and speedups
/// @param counts        sums over all rounds; the numbers of rounds and drafts follow from them
/// @param contributions of each of several drafters; empty if there is one
/// @param ranking       among the variants of one baseline; empty for one kind of prompts
public record VariantResult(
        @JsonProperty("variant") String name,
        String baseline,
        String drafter,
        String rule,
        double temperature,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> sampling,
        Optional<Integer> beams,
        Exactness exactness,
        Speed speed,
        DecodeMetrics counts,
        List<DrafterContribution> contributions,
        Optional<Ranking> ranking) {
    private static final double NANOS_PER_SECOND = 1e9;

    /// The promise about the output, and the tests of it.
    ///
    /// @param losslessness the promise
    /// @param evidence     tests of the output's distribution on separate samples
    /// @param greedyIds    greedy output against plain decoding's, prompt by prompt; empty if nothing was drafted or tokens are sampled
    public record Exactness(
            String losslessness, Optional<Evidence> evidence, Optional<GreedyIds> greedyIds) {}

    /// Times of a variant, and the numbers they are compared with.
    ///
    /// @param generations     measured
    /// @param tokensPerSecond of whole generations
    /// @param speedup         over plain decoding, paired by prompt and repetition
    /// @param expected        speedup expected from tokens per round and the mean times of rounds
    /// @param formula         speedup of the formula, which reads alpha, draft length and draft cost only
    /// @param draftCost       one draft step over one target pass of one row
    /// @param memoryBound     speedup by parameters read; empty if a parameter count is unknown
    /// @param latencyMillis   of first tokens and of tokens
    /// @param meanNanos       mean times of a round
    /// @param diagnosis       the factors between the formula and the measurement; empty for plain decoding
    public record Speed(
            int generations,
            double tokensPerSecond,
            Interval speedup,
            double expected,
            double formula,
            double draftCost,
            Optional<Double> memoryBound,
            Latency latencyMillis,
            RoundMeans meanNanos,
            Optional<Diagnosis> diagnosis) {}

    public Interval speedup() {
        return speed.speedup();
    }

    /// Speed over plain decoding: the simultaneous interval of all pairs and interim analyses, if there is a ranking.
    public Interval overPlain() {
        return ranking.stream()
                .flatMap(each -> each.against().stream())
                .filter(each -> each.variant().equals(baseline))
                .map(Ranking.Against::ratio)
                .findFirst()
                .orElse(speedup());
    }

    public RoundMeans meanNanos() {
        return speed.meanNanos();
    }

    public Optional<Diagnosis> diagnosis() {
        return speed.diagnosis();
    }

    /// Emitted tokens per target pass, the following token included.
    public double tokensPerRound() {
        return Finite.orZero(counts.tokensPerRound());
    }

    /// Acceptance rate over the positions reached.
    public double alpha() {
        return Finite.orZero(counts.alpha());
    }

    /// By depth, accepted over drafts.
    public List<Double> acceptanceByPosition() {
        return counts.acceptanceByPosition();
    }

    /// By depth, accepted over the drafts that reached this depth.
    public List<Double> conditionalAcceptanceByPosition() {
        return counts.conditionalAcceptanceByPosition();
    }

    /// Mean depth of the drafts.
    public double draftLength() {
        return Finite.orZero(counts.meanDraftLength());
    }

    /// Mean number of rows of a target pass.
    public double rowsPerPass() {
        return Finite.orZero(counts.meanRows());
    }

    /// Returns the results of every variant that was measured, in the order of the plan.
    ///
    /// @param evidence tests of sampled output by the name of the variant
    /// @param rankings of variants that are compared with one another, by the name of the variant
    public static List<VariantResult> of(
            ComparisonResult result,
            Map<String, Evidence> evidence,
            Map<String, Ranking> rankings) {
        if (result.generations().isEmpty()) {
            return List.of();
        }
        Map<String, List<GenerationRecord>> byVariant =
                result.generations().stream()
                        .collect(Collectors.groupingBy(GenerationRecord::variant));
        return result.plan().variants().stream()
                .map(variant ->
                        of(
                                variant,
                                result,
                                byVariant,
                                Optional.ofNullable(evidence.get(variant.name())),
                                Optional.ofNullable(rankings.get(variant.name()))))
                .toList();
    }

    private static VariantResult of(
            Variant variant,
            ComparisonResult result,
            Map<String, List<GenerationRecord>> byVariant,
            Optional<Evidence> evidence,
            Optional<Ranking> ranking) {
        var plan = result.plan();
        var own = byVariant.getOrDefault(variant.name(), List.of());
        var plain = byVariant.getOrDefault(variant.baseline(), List.of());
        DecodeMetrics metrics = metrics(own);
        DecodeMetrics plainMetrics = metrics(plain);
        List<RoundRecord> rounds =
                own.stream().flatMap(record -> record.rounds().stream()).toList();
        Interval speedup = Bootstrap.median(ratios(own, plain, plan.batch()), plan.seed());
        double whole = tokensPerSecond(own) / tokensPerSecond(plain);
        var diagnosis =
                Optional.of(variant)
                        .filter(each -> !each.plain())
                        .map(_ -> Diagnosis.of(metrics, plainMetrics, whole, speedup.value()));
        var speed =
                new Speed(
                        own.size(),
                        tokensPerSecond(own),
                        speedup,
                        Finite.orZero(metrics.predictedSpeedup(plainMetrics)),
                        Finite.orZero(metrics.theoreticalSpeedup(plainMetrics.passNanos())),
                        Finite.orZero(metrics.costRatio(plainMetrics.passNanos())),
                        memoryBound(variant, metrics),
                        Latency.of(own),
                        RoundMeans.of(metrics, rounds),
                        diagnosis);
        return new VariantResult(
                variant.name(),
                variant.baseline(),
                variant.drafter(),
                variant.rule(),
                variant.policy().temperature(),
                Optional.of(variant.sampling()),
                variant.beams().map(BeamSettings::beams),
                new Exactness(variant.exactness(), evidence, GreedyIds.of(variant, result)),
                speed,
                metrics,
                DrafterContribution.sums(rounds),
                ranking);
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
        var baseline = PromptSpeeds.PairedRun.work(plain, batch);
        Map<Integer, List<Double>> byGroup = new TreeMap<>();
        PromptSpeeds.PairedRun.work(own, batch)
                .forEach((turn, work) ->
                        Optional.ofNullable(baseline.get(turn))
                                .ifPresent(other ->
                                        byGroup.computeIfAbsent(
                                                        turn.group(), _ -> new ArrayList<>())
                                                .add(other.perToken() / work.perToken())));
        return List.copyOf(byGroup.values());
    }

    private static Optional<Double> memoryBound(Variant variant, DecodeMetrics metrics) {
        long parameters = variant.decoder().target().description().parameters();
        Optional<Drafter> drafter = variant.decoder().drafter();
        if (parameters <= 0 || drafter.isEmpty()) {
            return Optional.empty();
        }
        double share = (double) drafter.get().parameters() / parameters;
        return Optional.of(metrics.memoryBoundSpeedup(share));
    }

    /// Compares the greedy output of a variant with that of plain decoding, or its hypotheses with those of plain search.
    ///
    /// @param prompts measured
    /// @param equal   prompts on which every token id is the same, and for hypotheses every score
    /// @param unlike  prompts with a difference that rounding does not explain; empty if there is none
    public record GreedyIds(
            long prompts,
            long equal,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) OptionalLong unlike) {
        static Optional<GreedyIds> of(Variant variant, ComparisonResult result) {
            if (variant.plain() || !variant.policy().greedy()) {
                return Optional.empty();
            }
            var measured =
                    result.generations().stream()
                            .map(record -> result.plan().prompts().get(record.prompt()).id())
                            .collect(Collectors.toSet());
            var differing =
                    result.mismatches().stream()
                            .filter(mismatch -> mismatch.variant().equals(variant.name()))
                            .filter(mismatch -> measured.contains(mismatch.prompt()))
                            .collect(
                                    Collectors.toMap(
                                            Mismatch::prompt,
                                            each ->
                                                    !each.rounding(
                                                            VerificationSettings.ROUNDING_GAP),
                                            Boolean::logicalOr));
            long unlike = differing.values().stream().filter(Boolean::booleanValue).count();
            return Optional.of(
                    new GreedyIds(
                            measured.size(),
                            measured.size() - differing.size(),
                            unlike == 0 ? OptionalLong.empty() : OptionalLong.of(unlike)));
        }
    }

    /// The results of every variant on prompts of one kind.
    ///
    /// @param kind     kind of task
    /// @param prompts  prompts of that kind that every variant completed
    /// @param variants in the order of the configuration; their evidence is that of all prompts and not repeated here
    public record OfKind(String kind, int prompts, List<VariantResult> variants) {
        /// Returns one result for each kind of prompt; none if all prompts are of one kind, or if prompts of several kinds are
        /// decoded together and share their times.
        public static List<OfKind> of(ComparisonResult result) {
            var kinds = result.kinds();
            return kinds.size() < 2 || !result.plan().timesKindsApart()
                    ? List.of()
                    : kinds.stream().map(kind -> of(kind, result.ofKind(kind))).toList();
        }

        private static OfKind of(String kind, ComparisonResult measured) {
            return new OfKind(
                    kind,
                    measured.promptsMeasured(),
                    VariantResult.of(measured, Map.of(), Map.of()).stream()
                            .filter(variant -> !variant.plain())
                            .toList());
        }
    }

    /// Latencies in milliseconds.
    ///
    /// @param firstToken median time to the first token: prefill and first round
    /// @param p50        median time of a token; the tokens of a round share its time
    /// @param p90        90th percentile of the same
    /// @param p99        99th percentile of the same
    public record Latency(double firstToken, double p50, double p90, double p99) {
        private static final int DIGITS = 3;
        private static final double NANOS_PER_MILLI = 1e6;

        /// Latencies of generations.
        public static Latency of(List<GenerationRecord> generations) {
            var first = new Histogram(DIGITS);
            var perToken = new Histogram(DIGITS);
            for (GenerationRecord generation : generations) {
                for (RoundRecord round : generation.rounds()) {
                    if (round.round() == 0) {
                        first.recordValue(
                                generation.metrics().prefillNanos() + round.times().total());
                    }
                    if (round.emitted() > 0) {
                        perToken.recordValueWithCount(
                                round.times().total() / round.emitted(), round.emitted());
                    }
                }
            }
            return new Latency(at(first, 50), at(perToken, 50), at(perToken, 90), at(perToken, 99));
        }

        private static double at(Histogram histogram, double percentile) {
            return histogram.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
        }
    }

    /// Mean times of a round in nanoseconds, and the time of the target's pass by the size of the tree.
    ///
    /// @param draft      proposing
    /// @param score      the target's pass
    /// @param decide     the acceptance rule
    /// @param commit     keeping cache rows
    /// @param observe    telling the drafter
    /// @param rest       everything else
    /// @param passByRows the target's pass by its number of rows, the root included
    public record RoundMeans(
            double draft,
            double score,
            double decide,
            double commit,
            double observe,
            double rest,
            SortedMap<Integer, Double> passByRows) {
        static RoundMeans of(DecodeMetrics metrics, List<RoundRecord> rounds) {
            double count = Math.max(1, metrics.rounds());
            var times = metrics.times();
            var meanPass = Collectors.averagingLong((RoundRecord round) -> round.times().score());
            return new RoundMeans(
                    times.draft() / count,
                    times.score() / count,
                    times.decide() / count,
                    times.commit() / count,
                    times.observe() / count,
                    times.rest() / count,
                    rounds.stream()
                            .collect(
                                    Collectors.groupingBy(
                                            round -> round.nodes() + 1, TreeMap::new, meanPass)));
        }
    }
}
