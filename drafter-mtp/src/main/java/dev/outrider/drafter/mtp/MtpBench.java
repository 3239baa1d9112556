package dev.outrider.drafter.mtp;

import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.ChainBench;
import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.drafting.bench.DraftTimes;
import dev.outrider.drafting.bench.TimedTarget;
import java.util.List;
import java.util.Set;

/// Times `mtp`. Thread-safe.
public final class MtpBench implements DraftBench<MtpBenchConfig> {
    private static final int TURNS = 20;

    @Override
    public String name() {
        return "mtp";
    }

    @Override
    public Class<MtpBenchConfig> configType() {
        return MtpBenchConfig.class;
    }

    @Override
    public String description() {
        return "Times a chain of steps of one multi-token prediction module against a target pass of one row.";
    }

    @Override
    public String details() {
        return "Both run over random weights and take turns within one run; a step's share of a pass is c. The bound is what the bytes of both allow: a step reads one layer and a whole vocabulary projection.";
    }

    @Override
    public List<String> examples() {
        return List.of("bench-draft mtp --shape tinyllama-1.1b");
    }

    @Override
    public String run(MtpBenchConfig config, BenchWatch watch) {
        return ChainBench.run(
                "MTP",
                config.target(),
                MtpShapes.fusion(config.target().decoder()),
                config.length(),
                config.turns(),
                watch);
    }

    @Override
    public Set<String> drafters() {
        return Set.of("mtp");
    }

    @Override
    public DraftTimes times(String drafter, TimedTarget target, int length, BenchWatch watch) {
        return ChainBench.times(target, MtpShapes.fusion(target.decoder()), length, TURNS, watch);
    }
}
