package dev.outrider.experiment.sweep;

import dev.outrider.config.Component;
import dev.outrider.experiment.bench.Host;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.LoadedExperiment.Learners;
import dev.outrider.experiment.run.PromptReader;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The estimated time of a sweep, from a short probe of each of its targets: loading, and plain decoding of a few tokens.
///
/// Every variant is assumed to be as slow as plain decoding, and every generation as long as it may become: an upper bound where
/// speculation gains.
public final class SweepEstimate {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Host host;
    private final Map<Component<TargetModel.Factory<?>>, Probe> probes = new HashMap<>();

    /// @param host its clock times the probes
    public SweepEstimate(Host host) {
        this.host = host;
    }

    /// Seconds of a target: to load it with the drafters of a cell, and for one token of plain decoding.
    private record Probe(double load, double token) {}

    /// Seconds that the cells will take one after the other.
    ///
    /// @throws dev.outrider.spi.error.OutriderException what loading and decoding throw
    public double seconds(List<ExperimentConfig> cells) {
        return cells.stream().mapToDouble(this::seconds).sum();
    }

    private double seconds(ExperimentConfig cell) {
        Probe probe = probes.computeIfAbsent(cell.target(), _ -> probe(cell));
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
        long generations = variants * (cell.warmup() + prompts * cell.repetitions());
        return probe.load()
                + generations * cell.maxTokens() * probe.token()
                + sampling * cell.exactnessTestSeconds();
    }

    private Probe probe(ExperimentConfig cell) {
        host.useThreads().accept(cell.threads());
        long start = host.ticker().nanos();
        try (var loadedExperiment =
                LoadedExperiment.load(cell, host.ticker(), false, Learners.LEARNING)) {
            double load = since(start);
            var plan = loadedExperiment.plan(cell);
            double token =
                    plan.variants()
                            .getFirst()
                            .secondsPerToken(plan.prompts().getFirst(), host.ticker());
            return new Probe(load, token);
        }
    }

    private double since(long nanos) {
        return (host.ticker().nanos() - nanos) / NANOS_PER_SECOND;
    }
}
