package dev.outrider.cli;

import jakarta.inject.Inject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `outrider bench-draft`.
@Command(
        name = "bench-draft",
        description = "Times drafts against target passes over random weights of a named shape.",
        subcommands = {BenchMedusaCommand.class, BenchEagleCommand.class, BenchMtpCommand.class},
        footer = {
            "  outrider bench-draft medusa --shape tinyllama-1.1b --heads 4",
            "  outrider bench-draft eagle --shape tinyllama-1.1b --generation 3 --draft-vocabulary"
                    + " 8192",
            "  outrider bench-draft mtp --shape tinyllama-1.1b"
        })
final class BenchDraftCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Inject
    BenchDraftCommand() {}

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Missing required subcommand: "
                        + String.join(" or ", spec.commandLine().getSubcommands().keySet()));
    }
}
