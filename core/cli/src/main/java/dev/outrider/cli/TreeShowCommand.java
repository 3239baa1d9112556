package dev.outrider.cli;

import dev.outrider.config.ConfigLoader;
import dev.outrider.config.TreeFile;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

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
final class TreeShowCommand implements Callable<Integer> {
    private final Console console;
    private final ConfigLoader loader;

    @Parameters(paramLabel = "FILE", description = "A tree file; configs/trees has examples.")
    private Path file = Path.of("");

    @Inject
    TreeShowCommand(Console console, ConfigLoader loader) {
        this.console = console;
        this.loader = loader;
    }

    @Override
    public Integer call() {
        console.out().print(TreeDrawing.of(loader.load(file, TreeFile.class, List.of()).config()));
        return ExitCode.OK;
    }
}
