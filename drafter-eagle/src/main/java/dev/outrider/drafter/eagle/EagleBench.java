package dev.outrider.drafter.eagle;

import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.ChainBench;
import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.drafting.bench.DraftTimes;
import dev.outrider.drafting.bench.TimedTarget;
import java.util.List;
import java.util.Set;

/// Times `eagle`. Thread-safe.
public final class EagleBench implements DraftBench<EagleBenchConfig> {
    private static final int TURNS = 20;

    @Override
    public String name() {
        return "eagle";
    }

    @Override
    public Class<EagleBenchConfig> configType() {
        return EagleBenchConfig.class;
    }

    @Override
    public String description() {
        return "Times a chain of EAGLE draft steps against a target pass of one row.";
    }

    @Override
    public String details() {
        return "Both run over random weights and take turns within one run; a step's share of a pass is c. The bound is what the bytes of both allow: a step reads one layer and a whole vocabulary projection.";
    }

    @Override
    public List<String> examples() {
        return List.of(
                "bench-draft eagle --shape tinyllama-1.1b --generation 1",
                "bench-draft eagle --shape tinyllama-1.1b --generation 3 --draft-vocabulary 8192");
    }

    @Override
    public String run(EagleBenchConfig config, BenchWatch watch) {
        return ChainBench.run(
                "EAGLE-" + config.generation(),
                config.target(),
                EagleShapes.fusion(
                        config.generation(), config.target().decoder(), config.draftVocabulary()),
                config.length(),
                config.turns(),
                watch);
    }

    @Override
    public Set<String> drafters() {
        return Set.of("eagle", "eagle3");
    }

    @Override
    public DraftTimes times(String drafter, TimedTarget target, int length, BenchWatch watch) {
        int generation = drafter.equals("eagle3") ? 3 : 1;
        return ChainBench.times(
                target, EagleShapes.fusion(generation, target.decoder(), 0), length, TURNS, watch);
    }
}
