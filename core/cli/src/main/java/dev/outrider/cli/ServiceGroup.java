package dev.outrider.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// A command whose subcommands are what is installed.
interface ServiceGroup {
    /// A command for each.
    List<CommandSpec> installed();

    /// Adds them to the program, and leaves a word that names none of them to the group itself.
    static void addAll(CommandLine program) {
        for (var command : program.getSubcommands().values()) {
            if (command.getCommand() instanceof ServiceGroup group) {
                group.installed().forEach(spec -> command.addSubcommand(spec.name(), spec));
                command.getCommandSpec().parser().stopAtPositional(true);
                command.getCommandSpec().usageMessage().parameterListHeading("");
            }
        }
    }
}
