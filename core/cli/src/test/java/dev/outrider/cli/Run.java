package dev.outrider.cli;

import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.hub.HubPaths;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/// A command that was run, and its results.
///
/// @param exitCode how it ended
/// @param out      what it wrote to the standard output
/// @param err      what it wrote to the standard error
record Run(int exitCode, String out, String err) {
    private static final PluginPlace NO_PLUGINS = new PluginPlace(Path.of("no-plugins"), false);

    /// Outrider without third-party plugins.
    static PluginRegistry builtIn() {
        return NO_PLUGINS.registry();
    }

    /// Returns the context of commands of this process.
    static CommandContext context() {
        return context(Console.ofProcess());
    }

    static CommandContext context(Console console) {
        return CommandContext.of(
                console, new Interruption(), Run::builtIn, CommandContext.hub(System.getenv()));
    }

    static Run of(String... arguments) {
        return with("", new Interruption(), arguments);
    }

    /// Runs a command with this text as its standard input.
    static Run with(String input, Interruption interruption, String... arguments) {
        return with(NO_PLUGINS, input, interruption, arguments);
    }

    /// Runs a command with third-party plugins installed.
    ///
    /// @param plugins directory with a folder for each
    static Run withPlugins(Path plugins, String... arguments) {
        return with(new PluginPlace(plugins, true), "", new Interruption(), arguments);
    }

    /// Runs a command and signals when it has written certain words to the standard error.
    static Run watched(String words, CountDownLatch written, String... arguments) {
        var err =
                new ByteArrayOutputStream() {
                    @Override
                    public synchronized void write(byte[] bytes, int offset, int length) {
                        super.write(bytes, offset, length);
                        if (toString(StandardCharsets.UTF_8).contains(words)) {
                            written.countDown();
                        }
                    }
                };
        return with(NO_PLUGINS, "", new Interruption(), err, arguments);
    }

    /// Runs a command that may fetch models.
    ///
    /// @param variables of the environment that say from where
    static Run withHub(Map<String, String> variables, String... arguments) {
        return with(
                NO_PLUGINS,
                CommandContext.hub(variables),
                "",
                new Interruption(),
                new ByteArrayOutputStream(),
                arguments);
    }

    private static Run with(
            PluginPlace plugins, String input, Interruption interruption, String... arguments) {
        return with(plugins, input, interruption, new ByteArrayOutputStream(), arguments);
    }

    private static Run with(
            PluginPlace plugins,
            String input,
            Interruption interruption,
            ByteArrayOutputStream err,
            String... arguments) {
        return with(
                plugins, CommandContext.hub(System.getenv()), input, interruption, err, arguments);
    }

    private static Run with(
            PluginPlace plugins,
            HubPaths hub,
            String input,
            Interruption interruption,
            ByteArrayOutputStream err,
            String... arguments) {
        var out = new ByteArrayOutputStream();
        var console =
                new Console(
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        false,
                        false);
        int code = Application.run(console, interruption, plugins, hub, arguments);
        return new Run(
                code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
