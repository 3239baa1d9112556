package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.HeadBench;
import dev.outrider.drafter.medusa.HeadPlan;
import dev.outrider.drafter.medusa.TargetWeights;
import dev.outrider.drafting.TopTokens;
import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.drafting.bench.DraftTimes;
import dev.outrider.drafting.bench.TimedTarget;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Times `hydra` and `redrafter`. Thread-safe.
public final class SequenceDraftBench implements DraftBench<SequenceBenchConfig> {
    private static final int TURNS = 20;

    @Override
    public String name() {
        return "sequence";
    }

    @Override
    public Class<SequenceBenchConfig> configType() {
        return SequenceBenchConfig.class;
    }

    @Override
    public String description() {
        return "Times a chain of Hydra's or ReDrafter's guesses against a target pass of one row.";
    }

    @Override
    public String details() {
        return "Both run over random weights and take turns within one run. A draft over its number of guesses is c.";
    }

    @Override
    public List<String> examples() {
        return List.of(
                "bench-draft sequence --shape tinyllama-1.1b --kind hydra --length 4",
                "bench-draft sequence --shape tinyllama-1.1b --kind redrafter --length 4 --projection own");
    }

    @Override
    public String run(SequenceBenchConfig config, BenchWatch watch) {
        var report = report(config, watch);
        return String.format(
                Locale.ROOT,
                """
                %s
                  target pass of one row      %9.3f ms
                  %s, chain of %d     %9.3f ms, %d blocks, projection %s
                  draft / target pass         %9.3f
                  over %d guesses, c           %9.3f
                """,
                config.target().describe(config.turns()),
                1e3 * report.targetSeconds(),
                config.kind().name().toLowerCase(Locale.ROOT),
                config.length(),
                1e3 * report.draftSeconds(),
                config.layers(),
                config.projection().name().toLowerCase(Locale.ROOT),
                report.ratio(),
                config.length(),
                report.ratio() / config.length());
    }

    @Override
    public Set<String> drafters() {
        return Set.of("hydra", "redrafter");
    }

    @Override
    public DraftTimes times(String drafter, TimedTarget target, int length, BenchWatch watch) {
        var kind = SequenceBenchConfig.Kind.valueOf(drafter.toUpperCase(Locale.ROOT));
        var config =
                new SequenceBenchConfig(target, kind, length, 1, HeadPlan.Projection.TARGET, TURNS);
        return new DraftTimes(0, report(config, watch).ratio() / length);
    }

    private static HeadBench.Report report(SequenceBenchConfig config, BenchWatch watch) {
        var target = config.target();
        var weights =
                new RandomSequenceWeights(
                        target.decoder(), config.length(), config.layers(), config.projection());
        return HeadBench.run(
                HeadBench.Target.of(target),
                network -> {
                    var lent = new TargetWeights.Own(network);
                    return new Chain(
                            switch (config.kind()) {
                                case HYDRA ->
                                        new HydraHeads(
                                                weights, config.length(), target.precision(), lent);
                                case REDRAFTER ->
                                        new RecurrentHead(
                                                weights, config.length(), target.precision(), lent);
                            });
                },
                config.turns(),
                watch.turns(config.turns()),
                watch.clock()::getAsLong);
    }

    /// The best token after every token, as often as the heads guess.
    private record Chain(SequenceHeads heads) implements HeadBench.Heads {
        @Override
        public void draft(float[] hidden) {
            var logits = new float[heads.vocabulary()];
            var states = heads.after(List.of(heads.start(hidden)), new int[] {5});
            for (int guess = 0; guess < heads.guesses(); guess++) {
                if (guess > 0) {
                    states = heads.after(states, TopTokens.of(logits, 1));
                }
                heads.logits(guess, states, logits);
            }
            if (TopTokens.of(logits, 1).length == 0) {
                throw new IllegalStateException("no guess");
            }
        }

        @Override
        public void close() {
            heads.close();
        }
    }
}
