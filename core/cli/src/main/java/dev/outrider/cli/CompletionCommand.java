package dev.outrider.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;

/// The command `outrider completion`: the script with which bash and zsh complete commands and options.
@Command(name = "completion")
final class CompletionCommand extends Subcommand {
    @Override
    public Integer call() {
        out().print(AutoComplete.bash("outrider", Application.commandLine(context())));
        return ExitCode.OK;
    }
}
