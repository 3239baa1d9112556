package dev.outrider.cli;

import dev.outrider.hub.HubPaths;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.CommandSpec;

/// Builds the command line and runs one command.
final class Application {
    private static final String HELP = "dev.outrider.cli.help";
    private static final int WIDTH = 100;

    private Application() {}

    /// Runs a command line.
    ///
    /// @param plugins the folder of third-party plugins
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
            var context = CommandContext.of(console, interruption, plugins::registry, hub);
            boolean plain = arguments.length > 0 && OutriderCommand.is(arguments[0]);
            Predicate<String> named = plain ? arguments[0]::equals : List.of(arguments)::contains;
            int code = commandLine(context, named, !plain).execute(arguments);
            return interruption.requested() ? ExitCode.INTERRUPTED : code;
        } catch (OutOfMemoryError e) {
            return report.outOfMemory(e);
        } catch (RuntimeException | Error e) {
            return report.report(e, List.of(arguments).contains("--debug"));
        }
    }

    /// Returns every command, to read its help.
    static CommandLine commandLine(CommandContext context) {
        return commandLine(context, _ -> true, true).setResourceBundle(texts());
    }

    /// Returns the commands. Commands that are not named have no options and no subcommands.
    ///
    /// @param all whether also commands that are not named are returned
    private static CommandLine commandLine(
            CommandContext context, Predicate<String> named, boolean all) {
        var console = context.console();
        var report = new ErrorReport(console);
        var program = new CommandLine(OutriderCommand.class, new Factory(context));
        OutriderCommand.add(program, named, all);
        ServiceGroup.addAll(program);
        return program.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
                .setColorScheme(Help.defaultColorScheme(console.colours() ? Ansi.ON : Ansi.OFF))
                .setUsageHelpWidth(WIDTH)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false) // a prompt may begin with @
                .setHelpFactory((spec, colours) -> help(program, spec, colours))
                .setExecutionExceptionHandler(report)
                .setParameterExceptionHandler(report);
    }

    /// The help texts are read when help is requested: reading them takes as long as many a command.
    private static Help help(CommandLine program, CommandSpec spec, Help.ColorScheme colours) {
        if (program.getResourceBundle() == null) {
            program.setResourceBundle(texts());
        }
        return new Help(spec, colours) {
            /// Leaves examples in one line: a command with line breaks cannot be copied.
            @Override
            public String footer(Object... parameters) {
                var all = new StringBuilder();
                for (var line : spec.usageMessage().footer()) {
                    int width = line.startsWith("  outrider ") ? line.length() + 1 : WIDTH;
                    join(ansi(), width, true, new String[] {line}, all, parameters);
                }
                return all.toString();
            }
        };
    }

    private static ResourceBundle texts() {
        return ResourceBundle.getBundle(HELP, Locale.ROOT);
    }

    /// Constructs commands and picocli's helpers in picocli's way, and gives commands the context.
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
