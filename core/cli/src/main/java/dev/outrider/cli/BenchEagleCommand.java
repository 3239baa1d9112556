package dev.outrider.cli;

import dev.outrider.drafter.eagle.EagleShapes;
import jakarta.inject.Inject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The command `outrider bench-draft eagle`.
@Command(
        name = "eagle",
        description = {
            "Times a chain of EAGLE draft steps against a target pass of one row.",
            "",
            "Both run over random weights and take turns within one run; a step's share of a pass"
                    + " is c. The bound is what the bytes of both allow: a step reads one layer and a"
                    + " whole vocabulary projection."
        },
        footer = {
            "  outrider bench-draft eagle --shape tinyllama-1.1b --generation 1",
            "  outrider bench-draft eagle --shape tinyllama-1.1b --generation 3 --draft-vocabulary"
                    + " 8192"
        })
final class BenchEagleCommand implements Callable<Integer> {
    private final Measurement measurement;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private FeatureBenchOptions options = new FeatureBenchOptions();

    @Option(
            names = "--generation",
            defaultValue = "1",
            description = "1 for EAGLE-1 and EAGLE-2, 3 for EAGLE-3 (default: ${DEFAULT-VALUE}).")
    private int generation;

    @Option(
            names = "--draft-vocabulary",
            defaultValue = "0",
            description =
                    "Tokens of the head, 0 for all of the target's (default: ${DEFAULT-VALUE}).")
    private int draftVocabulary;

    @Inject
    BenchEagleCommand(Measurement measurement) {
        this.measurement = measurement;
    }

    @Override
    public Integer call() {
        return options.run(
                "EAGLE-" + generation,
                shape -> EagleShapes.fusion(generation, shape, draftVocabulary),
                spec,
                measurement);
    }
}
