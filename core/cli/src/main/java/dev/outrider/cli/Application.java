package dev.outrider.cli;

import dev.outrider.hub.HubPaths;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IFactory;

/// Builds the command line and runs one command.
final class Application {
    private static final String HELP = "dev.outrider.cli.help";
    private static final int WIDTH = 100;

    private Application() {}

    /// Runs a command line.
    ///
    /// @param plugins where third-party plugins are
    /// @param hub     models that are given by their names on the hub
    /// @return the exit code; see [ExitCode]
    static int run(
            Console console,
            Interruption interruption,
            PluginPlace plugins,
            HubPaths hub,
            String... arguments) {
        var report = new ErrorReport(console);
        try {
            var context = CommandContext.of(console, interruption, plugins.registry(), hub);
            int code = commandLine(context, List.of(arguments)::contains).execute(arguments);
            return interruption.requested() ? ExitCode.INTERRUPTED : code;
        } catch (OutOfMemoryError e) {
            return report.outOfMemory(e);
        } catch (RuntimeException | Error e) {
            return report.report(e, List.of(arguments).contains("--debug"));
        }
    }

    /// Returns every command, to read its help.
    static CommandLine commandLine(CommandContext context) {
        return commandLine(context, _ -> true);
    }

    /// Returns the commands; those that are not named without their options and their own subcommands.
    private static CommandLine commandLine(CommandContext context, Predicate<String> named) {
        var console = context.console();
        var report = new ErrorReport(console);
        var program = new CommandLine(OutriderCommand.class, new Factory(context));
        OutriderCommand.addAll(program, named);
        ServiceGroup.addAll(program);
        program.setResourceBundle(ResourceBundle.getBundle(HELP, Locale.ROOT));
        return program.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
                .setColorScheme(
                        CommandLine.Help.defaultColorScheme(console.colours() ? Ansi.ON : Ansi.OFF))
                .setUsageHelpWidth(WIDTH)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false) // a prompt may begin with @
                .setExecutionExceptionHandler(report)
                .setParameterExceptionHandler(report);
    }

    /// Constructs commands and picocli's helpers as picocli does, and gives commands the context.
    private record Factory(CommandContext context) implements IFactory {
        @Override
        public <K> K create(Class<K> type) throws Exception {
            var made = CommandLine.defaultFactory().create(type);
            if (made instanceof Subcommand command) {
                command.use(context);
            }
            return made;
        }
    }
}
