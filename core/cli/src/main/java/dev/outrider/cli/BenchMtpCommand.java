package dev.outrider.cli;

import dev.outrider.drafter.mtp.MtpShapes;
import jakarta.inject.Inject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The command `outrider bench-draft mtp`.
@Command(
        name = "mtp",
        description = {
            "Times a chain of steps of one multi-token prediction module against a target pass of one row.",
            "",
            "Both run over random weights and take turns within one run; a step's share of a pass is c. The bound is what the"
                    + " bytes of both allow: a step reads one layer and the target's whole vocabulary projection."
        },
        footer = "  outrider bench-draft mtp --shape tinyllama-1.1b")
final class BenchMtpCommand implements Callable<Integer> {
    private final Measurement measurement;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private FeatureBenchOptions options = new FeatureBenchOptions();

    @Inject
    BenchMtpCommand(Measurement measurement) {
        this.measurement = measurement;
    }

    @Override
    public Integer call() {
        return options.run("MTP", MtpShapes::fusion, spec, measurement);
    }
}
