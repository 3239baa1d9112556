package dev.outrider.drafter.medusa;

import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.drafting.bench.DraftTimes;
import dev.outrider.drafting.bench.TimedTarget;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Times `medusa`. Thread-safe.
public final class MedusaDraftBench implements DraftBench<MedusaBenchConfig> {
    private static final int RANKS = 10;
    private static final int TURNS = 30;

    @Override
    public String name() {
        return "medusa";
    }

    @Override
    public Class<MedusaBenchConfig> configType() {
        return MedusaBenchConfig.class;
    }

    @Override
    public String description() {
        return "Times a whole Medusa draft against a target pass of one row.";
    }

    @Override
    public String details() {
        return "Both run over random weights and take turns within one run; their ratio is what a draft costs.";
    }

    @Override
    public List<String> examples() {
        return List.of(
                "bench-draft medusa --shape tinyllama-1.1b --heads 4",
                "bench-draft medusa --shape tinyllama-1.1b --heads 4 --projection own");
    }

    @Override
    public String run(MedusaBenchConfig config, BenchWatch watch) {
        var target = config.target();
        var report = report(config, watch);
        return String.format(
                Locale.ROOT,
                """
                %s
                  target pass of one row    %9.3f ms
                  %d heads, %s projection %9.3f ms
                  draft / target pass       %9.3f
                """,
                target.describe(config.turns()),
                1e3 * report.targetSeconds(),
                config.heads(),
                config.projection() == HeadPlan.Projection.OWN ? "own   " : "target",
                1e3 * report.draftSeconds(),
                report.ratio());
    }

    @Override
    public Set<String> drafters() {
        return Set.of("medusa");
    }

    /// Every head guesses in one go, so that a level of a draft costs nothing of its own.
    @Override
    public DraftTimes times(String drafter, TimedTarget target, int length, BenchWatch watch) {
        var config =
                new MedusaBenchConfig(target, length, HeadPlan.Projection.TARGET, RANKS, TURNS);
        return new DraftTimes(report(config, watch).ratio(), 0);
    }

    private static HeadBench.Report report(MedusaBenchConfig config, BenchWatch watch) {
        var target = config.target();
        return MedusaBench.run(
                new MedusaBench.Request(
                        target.decoder(),
                        target.precision(),
                        target.threads(),
                        target.context(),
                        config.heads(),
                        config.projection(),
                        config.ranks(),
                        config.turns()),
                watch.turns(config.turns()),
                watch.clock()::getAsLong);
    }
}
