package dev.outrider.drafter.medusa;

import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.DraftBench;
import java.util.List;
import java.util.Locale;

/// Times `medusa`. Thread-safe.
public final class MedusaDraftBench implements DraftBench<MedusaBenchConfig> {
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
        var report =
                MedusaBench.run(
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
}
