package dev.outrider.drafter.eagle;

import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.drafting.bench.DraftTimes;
import dev.outrider.drafting.bench.OnePassBench;
import dev.outrider.drafting.bench.TimedTarget;
import java.util.List;
import java.util.Set;

/// Times `p-eagle`. Thread-safe.
public final class PEagleBench implements DraftBench<PEagleBenchConfig> {
    private static final int TURNS = 20;
    private static final int LAYERS = 2;
    private static final int FED = 3;
    private static final int EAGLE_3 = 3;

    @Override
    public String name() {
        return "p-eagle";
    }

    @Override
    public Class<PEagleBenchConfig> configType() {
        return PEagleBenchConfig.class;
    }

    @Override
    public String description() {
        return "Times a whole P-EAGLE draft against a target pass of one row.";
    }

    @Override
    public String details() {
        return "Both run over random weights and take turns within one run. A draft is one pass over a round's new rows and a row for every guess after the first, and the head for all guesses; over the number of guesses it is c.";
    }

    @Override
    public List<String> examples() {
        return List.of("bench-draft p-eagle --shape tinyllama-1.1b --layers 2 --length 5");
    }

    @Override
    public String run(PEagleBenchConfig config, BenchWatch watch) {
        return OnePassBench.run(
                "P-EAGLE",
                config.target(),
                draft(
                        config.target(),
                        config.layers(),
                        config.draftVocabulary(),
                        config.fed(),
                        config.length()),
                config.turns(),
                watch);
    }

    @Override
    public Set<String> drafters() {
        return Set.of(HeadKind.PARALLEL.drafter());
    }

    @Override
    public DraftTimes times(String drafter, TimedTarget target, int length, BenchWatch watch) {
        return OnePassBench.times(target, draft(target, LAYERS, 0, FED, length), TURNS, watch);
    }

    private static OnePassBench.Draft draft(
            TimedTarget target, int layers, int draftVocabulary, int fed, int length) {
        var fusion = EagleShapes.fusion(EAGLE_3, target.decoder(), draftVocabulary);
        return new OnePassBench.Draft(layers, fusion, fed, length);
    }
}
