package dev.outrider.experiment.bench;

import dev.outrider.config.EffectiveConfig;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.LoadedExperiment.Learners;
import dev.outrider.experiment.run.Variant;
import java.util.ArrayList;
import java.util.List;

/// The estimated time of a comparison, from a few tokens of every variant. Every generation is taken to be as long as it
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
    /// @param drafter   what guesses
    /// @param rule      what accepts
    /// @param exactness what is promised about its output
    /// @param seconds   of its warm-up, generations and tests
    public record OfVariant(
            String name, String drafter, String rule, String exactness, double seconds) {}

    /// Loads an experiment and decodes a few tokens of its first prompt on every variant.
    ///
    /// @throws dev.outrider.spi.error.OutriderException what checking, loading and decoding throw
    public static BenchEstimate of(
            ExperimentConfig experiment, EffectiveConfig effective, Host host) {
        LoadedExperiment.checkWithPrompts(experiment, effective);
        host.useThreads().accept(experiment.threads());
        long start = host.ticker().nanos();
        try (var loaded =
                LoadedExperiment.load(experiment, host.ticker(), false, Learners.LEARNING)) {
            double load = (host.ticker().nanos() - start) / NANOS_PER_SECOND;
            var plan = loaded.plan(experiment);
            var variants = new ArrayList<OfVariant>();
            for (Variant variant : plan.variants()) {
                variants.add(
                        new OfVariant(
                                variant.name(),
                                variant.drafter(),
                                variant.rule(),
                                variant.plain() ? "-" : variant.exactness(),
                                seconds(variant, plan, experiment, host)));
            }
            double all = load + variants.stream().mapToDouble(OfVariant::seconds).sum();
            return new BenchEstimate(variants, plan.prompts().size(), plan.repetitions(), all);
        }
    }

    private static double seconds(
            Variant variant, ComparisonPlan plan, ExperimentConfig experiment, Host host) {
        double token = variant.secondsPerToken(plan.prompts().getFirst(), host.ticker());
        long generations =
                (long) plan.warmup() * plan.batch()
                        + (long) plan.prompts().size() * plan.repetitions();
        boolean tested = !variant.plain() && !variant.policy().greedy();
        return generations * plan.maxTokens() * token
                + (tested ? experiment.exactnessTestSeconds() : 0);
    }
}
