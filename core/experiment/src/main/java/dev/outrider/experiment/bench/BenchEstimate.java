package dev.outrider.experiment.bench;

import dev.outrider.config.Component;
import dev.outrider.config.EffectiveConfig;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.ExperimentConfig.Prefill;
import dev.outrider.experiment.run.Comparison;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.PromptReader;
import dev.outrider.experiment.run.Variant;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/// The estimated time of a comparison, from a few tokens of every variant. Every generation is assumed to be as long as it
/// may become.
///
/// @param variants       in order
/// @param prompts     that each would decode
/// @param repetitions of each
/// @param seconds     to load, warm up, measure and test
public record BenchEstimate(
        List<OfVariant> variants, int prompts, int repetitions, double seconds) {
    private static final double NANOS_PER_SECOND = 1e9;

    /// One variant.
    ///
    /// @param name      of the variant
    /// @param drafter   name of the drafter
    /// @param rule      name of the acceptance rule
    /// @param exactness the promise about its output
    /// @param seconds   of its warm-up, generations and tests, and its part of reading prompts
    public record OfVariant(
            String name, String drafter, String rule, String exactness, double seconds) {}

    /// Loads an experiment and decodes a few tokens of its first prompt on every variant.
    ///
    /// @throws dev.outrider.spi.error.OutriderException what checking, loading and decoding throw
    public static BenchEstimate of(
            ExperimentConfig experiment, EffectiveConfig effective, Host host) {
        LoadedExperiment.checkWithPrompts(experiment, effective);
        return probed(
                experiment,
                host,
                (plan, load) -> {
                    var variants =
                            plan.variants().stream()
                                    .map(variant -> of(variant, plan, experiment, host))
                                    .toList();
                    double all = load + variants.stream().mapToDouble(OfVariant::seconds).sum();
                    return new BenchEstimate(
                            variants, plan.prompts().size(), plan.repetitions(), all);
                });
    }

    /// Loads an experiment.
    ///
    /// @param use given the plan and the seconds of loading
    private static <T> T probed(
            ExperimentConfig experiment, Host host, BiFunction<ComparisonPlan, Double, T> use) {
        host.useThreads().accept(experiment.threads());
        long start = host.ticker().nanos();
        try (var loaded = LoadedExperiment.load(experiment, host.ticker(), false)) {
            double load = (host.ticker().nanos() - start) / NANOS_PER_SECOND;
            return use.apply(loaded.plan(experiment), load);
        }
    }

    /// Seconds of a variant's generations, and of its part of reading prompts.
    private static double generating(
            ExperimentConfig experiment, long variants, long prompts, Variant.Probe probe) {
        var protocol = experiment.protocol();
        double round = protocol.batch() * probe.decoding();
        double second = Comparison.WARM_UP_NANOS / NANOS_PER_SECOND;
        double warmup = Math.min(experiment.maxTokens() * round, Math.max(second, 2 * round));
        long warmedUp = (long) protocol.warmup() * protocol.batch();
        long measured = prompts * protocol.repetitions();
        double readings =
                probe.shared() && protocol.prefill() == Prefill.SHARED
                        ? (double) (Math.min(warmedUp, prompts) + prompts) / variants
                        : warmedUp + measured;
        return protocol.warmup() * warmup
                + measured * experiment.maxTokens() * probe.decoding()
                + readings * probe.reading();
    }

    private static OfVariant of(
            Variant variant, ComparisonPlan plan, ExperimentConfig experiment, Host host) {
        var probe = variant.probe(plan.prompts().getFirst(), host.ticker());
        boolean tested = !variant.plain() && !variant.policy().greedy();
        return new OfVariant(
                variant.name(),
                variant.drafter(),
                variant.rule(),
                variant.plain() ? "-" : variant.exactness(),
                generating(experiment, plan.variants().size(), plan.prompts().size(), probe)
                        + (tested ? experiment.protocol().exactnessTestSeconds() : 0));
    }

    /// Seconds of a target: to load it with the drafters of a cell, and of a short generation of plain decoding.
    private record Probe(double load, Variant.Probe plain) {}

    /// Returns the seconds that the cells of a sweep will take one after the other, from a short probe of each of its targets. Every variant
    /// is assumed to be as slow as plain decoding, and every generation as long as it may become: an upper bound if speculation gains.
    ///
    /// @throws dev.outrider.spi.error.OutriderException what loading and decoding throw
    public static double seconds(List<ExperimentConfig> cells, Host host) {
        var probes = new HashMap<Component<TargetModel.Factory<?>>, Probe>();
        return cells.stream()
                .mapToDouble(cell ->
                        seconds(
                                cell,
                                probes.computeIfAbsent(cell.target(), _ -> probe(cell, host))))
                .sum();
    }

    private static Probe probe(ExperimentConfig cell, Host host) {
        return probed(
                cell,
                host,
                (plan, load) ->
                        new Probe(
                                load,
                                plan.variants()
                                        .getFirst()
                                        .probe(plan.prompts().getFirst(), host.ticker())));
    }

    private static double seconds(ExperimentConfig cell, Probe probe) {
        Set<SamplingPolicy> policies = new HashSet<>(Set.of(cell.sampling()));
        cell.variants()
                .forEach(variant -> policies.add(variant.sampling().orElse(cell.sampling())));
        long sampling =
                cell.variants().stream()
                        .filter(variant -> !variant.sampling().orElse(cell.sampling()).greedy())
                        .count();
        long searches =
                cell.variants().stream()
                        .flatMap(variant -> variant.decoding().stream())
                        .distinct()
                        .count();
        long variants = policies.size() + searches + cell.variants().size();
        long prompts = PromptReader.read(cell.prompts()).size();
        return probe.load()
                + variants * generating(cell, variants, prompts, probe.plain())
                + sampling * cell.protocol().exactnessTestSeconds();
    }
}
