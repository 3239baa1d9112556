package dev.outrider.cli;

import jakarta.inject.Inject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `outrider model`.
@Command(
        name = "model",
        description = "Says what a model is, before it is run.",
        subcommands = ModelShowCommand.class,
        footer = {
            "  outrider model show models/demo-target",
            "  outrider model show hf://EleutherAI/pythia-160m --json"
        })
final class ModelCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Inject
    ModelCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing required subcommand: show");
    }
}
