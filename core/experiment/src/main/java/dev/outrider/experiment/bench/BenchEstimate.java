package dev.outrider.experiment.bench;

import dev.outrider.config.EffectiveConfig;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.LoadedExperiment.Learners;
import dev.outrider.experiment.run.Variant;
import java.util.ArrayList;
import java.util.List;

/// What a comparison would run and how long it would take, from a few tokens of every side. Every generation is taken to be as long as it
/// may become.
///
/// @param sides       in order
/// @param prompts     that each would decode
/// @param repetitions of each
/// @param seconds     to load, warm up, measure and test
public record BenchEstimate(List<OfSide> sides, int prompts, int repetitions, double seconds) {
    private static final double NANOS_PER_SECOND = 1e9;

    public BenchEstimate {
        sides = List.copyOf(sides);
    }

    /// One side.
    ///
    /// @param name      of the side
    /// @param drafter   what guesses
    /// @param rule      what accepts
    /// @param exactness what is promised about its output
    /// @param seconds   of its warm-up, generations and tests
    public record OfSide(
            String name, String drafter, String rule, String exactness, double seconds) {}

    /// Loads an experiment and decodes a few tokens of its first prompt on every side.
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
            var sides = new ArrayList<OfSide>();
            for (Variant side : plan.sides()) {
                sides.add(
                        new OfSide(
                                side.name(),
                                side.drafter(),
                                side.rule(),
                                side.plain() ? "-" : side.exactness(),
                                seconds(side, plan, experiment, host)));
            }
            double all = load + sides.stream().mapToDouble(OfSide::seconds).sum();
            return new BenchEstimate(sides, plan.prompts().size(), plan.repetitions(), all);
        }
    }

    private static double seconds(
            Variant side, ComparisonPlan plan, ExperimentConfig experiment, Host host) {
        double token = side.secondsPerToken(plan.prompts().getFirst(), host.ticker());
        long generations =
                (long) plan.warmup() * plan.batch()
                        + (long) plan.prompts().size() * plan.repetitions();
        boolean tested = !side.plain() && !side.policy().greedy();
        return generations * plan.maxTokens() * token + (tested ? experiment.evidenceSeconds() : 0);
    }
}
