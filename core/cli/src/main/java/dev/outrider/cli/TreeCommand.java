package dev.outrider.cli;

import jakarta.inject.Inject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `outrider tree`.
@Command(
        name = "tree",
        description = "Finds and shows the trees that drafts follow.",
        subcommands = {TreeOptimiseCommand.class, TreeShowCommand.class},
        footer = {
            "  outrider tree show configs/trees/mc_sim_7b_63.yaml",
            "  outrider tree optimise --config configs/tree-shapes.yaml --variant dynamic --out my-tree.yaml"
        })
final class TreeCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Inject
    TreeCommand() {}

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Missing required subcommand: optimise or show");
    }
}
