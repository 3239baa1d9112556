package dev.outrider.cli;

import dev.outrider.config.TreeFile;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// The command `outrider tree`.
@Command(
        name = "tree",
        subcommands = {TreeOptimiseCommand.class, TreeCommand.Show.class})
final class TreeCommand {
    /// The command `outrider tree show`.
    @Command(name = "show")
    static final class Show extends Subcommand {
        @Parameters(paramLabel = "FILE")
        private Path file = Path.of("");

        @Override
        public Integer call() {
            out().print(
                            TreeDrawing.of(
                                    context()
                                            .loader()
                                            .load(file, TreeFile.class, List.of())
                                            .config()));
            return ExitCode.OK;
        }
    }
}
