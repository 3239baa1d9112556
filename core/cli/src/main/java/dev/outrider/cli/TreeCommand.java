package dev.outrider.cli;

import dev.outrider.config.TreeFile;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// The command `outrider tree`.
@Command(
        name = "tree",
        description = "Finds and shows the trees that drafts follow.",
        subcommands = {TreeOptimiseCommand.class, TreeCommand.Show.class},
        footer = {
            "  outrider tree show configs/trees/mc_sim_7b_63.yaml",
            "  outrider tree optimise --config configs/tree-shapes.yaml --variant dynamic --out my-tree.yaml"
        })
final class TreeCommand {
    /// The command `outrider tree show`.
    @Command(
            name = "show",
            description = {
                "Draws the tree of a file, with its numbers.",
                "",
                "Every line is a guess: its rank among its parent's children and, where the file says how often each rank is"
                        + " accepted, the probability that the whole path down to it is."
            },
            footer = "  outrider tree show configs/trees/mc_sim_7b_63.yaml")
    static final class Show implements Callable<Integer> {
        private final CommandContext context;

        @Parameters(paramLabel = "FILE", description = "A tree file; configs/trees has examples.")
        private Path file = Path.of("");

        Show(CommandContext context) {
            this.context = context;
        }

        @Override
        public Integer call() {
            context.out()
                    .print(
                            TreeDrawing.of(
                                    context.loader()
                                            .load(file, TreeFile.class, List.of())
                                            .config()));
            return ExitCode.OK;
        }
    }
}
