package dev.outrider.cli;

import jakarta.inject.Inject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `outrider data`.
@Command(
        name = "data",
        description =
                "Shows the data that trainers learn from, and lets a target answer them anew.",
        subcommands = {DataShowCommand.class, DataRegenerateCommand.class},
        footer = {
            "  outrider data show configs/training/chat.yaml",
            "  outrider data regenerate configs/regenerate-chat.yaml --from configs/data/questions.jsonl --out results/data/answers"
        })
final class DataCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Inject
    DataCommand() {}

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Missing required subcommand: show, regenerate");
    }
}
