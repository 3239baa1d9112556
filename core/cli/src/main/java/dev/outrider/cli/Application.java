package dev.outrider.cli;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Stage;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.hub.HubPaths;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/// Puts the program together and runs one command.
final class Application {
    private static final int WIDTH = 100;

    private Application() {}

    /// Runs a command line.
    ///
    /// @param plugins where third-party plugins are
    /// @return the exit code; see [ExitCode]
    static int run(
            Console console, Interruption interruption, PluginPlace plugins, String... arguments) {
        return run(console, interruption, plugins, HubPlace.ofProcess(), arguments);
    }

    /// Runs a command line.
    ///
    /// @param plugins where third-party plugins are
    /// @param hub     where models are that have names
    /// @return the exit code; see [ExitCode]
    static int run(
            Console console,
            Interruption interruption,
            PluginPlace plugins,
            HubPaths hub,
            String... arguments) {
        var report = new ErrorReport(console);
        try {
            int code =
                    commandLine(console, interruption, plugins.registry(), hub).execute(arguments);
            return interruption.requested() ? ExitCode.INTERRUPTED : code;
        } catch (OutOfMemoryError e) {
            return report.outOfMemory(e);
        } catch (RuntimeException | Error e) {
            return report.report(e, List.of(arguments).contains("--debug"));
        }
    }

    /// Every command with what it needs, for running and for reading its help.
    static CommandLine commandLine(
            Console console, Interruption interruption, PluginRegistry plugins) {
        return commandLine(console, interruption, plugins, HubPlace.ofProcess());
    }

    private static CommandLine commandLine(
            Console console, Interruption interruption, PluginRegistry plugins, HubPaths hub) {
        var ansi = console.colours() ? Ansi.ON : Ansi.OFF;
        var factory = new InjectorFactory(injector(console, interruption, plugins, hub));
        var program = new CommandLine(OutriderCommand.class, factory);
        ServiceGroup.addAll(program);
        return program.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
                .setColorScheme(CommandLine.Help.defaultColorScheme(ansi))
                .setUsageHelpWidth(WIDTH)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false) // a prompt may begin with @
                .setExecutionExceptionHandler(new ErrorReport(console))
                .setParameterExceptionHandler(new UsageReport());
    }

    /// The program's objects.
    static Injector injector(Console console, Interruption interruption, PluginRegistry plugins) {
        return injector(console, interruption, plugins, HubPlace.ofProcess());
    }

    private static Injector injector(
            Console console, Interruption interruption, PluginRegistry plugins, HubPaths hub) {
        return Guice.createInjector(
                Stage.PRODUCTION,
                new EnvironmentModule(console, interruption),
                new PluginModule(plugins, hub),
                new CommandModule());
    }
}
