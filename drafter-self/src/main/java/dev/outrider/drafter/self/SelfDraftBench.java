package dev.outrider.drafter.self;

import dev.outrider.drafter.self.SelfBench.Part;
import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.DraftBench;
import java.util.List;
import java.util.Locale;

/// Times `early-exit` and `swift`. Thread-safe.
public final class SelfDraftBench implements DraftBench<SelfBenchConfig> {
    @Override
    public String name() {
        return "self";
    }

    @Override
    public Class<SelfBenchConfig> configType() {
        return SelfBenchConfig.class;
    }

    @Override
    public String description() {
        return "Times drafts by some of the target's own layers, early exit and skipped sub-layers, against whole passes.";
    }

    @Override
    public String details() {
        return "All passes run over random weights and take turns within one run. c is a draft step over a pass of one row. Of early exit, the pass that verifies costs less than another of as many rows: most of them went through the first layers.";
    }

    @Override
    public List<String> examples() {
        return List.of("bench-draft self --shape tinyllama-1.1b --layer 8 --length 4");
    }

    @Override
    public String run(SelfBenchConfig config, BenchWatch watch) {
        var seconds = SelfBench.run(config, watch.turns(config.turns()), watch.clock()::getAsLong);
        double one = seconds.of(Part.ONE_ROW);
        var report = new StringBuilder(config.target().describe(config.turns())).append('\n');
        for (var part : Part.values()) {
            report.append(
                    String.format(
                            Locale.ROOT,
                            "  %-52s %9.3f ms %7.3f%n",
                            words(part, config),
                            1e3 * seconds.of(part),
                            seconds.of(part) / one));
        }
        return report.toString();
    }

    private static String words(Part part, SelfBenchConfig config) {
        int layers = config.target().decoder().layers();
        return switch (part) {
            case ONE_ROW -> "target pass of one row";
            case EXIT_STEP -> "step of the first %d of %d layers".formatted(config.layer(), layers);
            case SKIP_STEP ->
                    "step without %d of %d sub-layers"
                            .formatted(
                                    SubLayers.spread(layers, config.share())
                                            .skipped()
                                            .cardinality(),
                                    2 * layers);
            case VERIFY -> "target pass of %d rows".formatted(config.length() + 1);
            case VERIFY_ABOVE ->
                    "the same, %d of them begun in %d layers"
                            .formatted(config.length(), config.layer());
            case LOOK -> "sub-layers tried on %d tokens".formatted(config.tokens());
        };
    }
}
