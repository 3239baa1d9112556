package dev.outrider.cli;

import java.io.PrintStream;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Entry point of the launcher.
public final class Main {
    private static final String LOG_LEVEL = "outrider.log.level";

    /// The reader of Parquet writes to this logger what it decodes with. Kept in a field: a logger without a reference loses its level.
    private static final Logger PARQUET = Logger.getLogger("dev.hardwood");

    private Main() {}

    /// Runs one command and ends the process with its exit code.
    public static void main(String[] arguments) {
        boolean debug = List.of(arguments).contains("--debug");
        int code;
        try {
            code = run(debug, arguments);
        } catch (LinkageError e) {
            code = unloaded(e, debug, System.err);
        }
        System.exit(code);
    }

    /// Reports that a class of Outrider cannot be loaded: a jar is damaged, or the process may open no more files. Needs no class that
    /// is not loaded yet.
    static int unloaded(LinkageError problem, boolean debug, PrintStream err) {
        err.println("IO_FAILED: a part of Outrider cannot be loaded: ".concat(problem.toString()));
        err.println(
                "  Let the process open more files and use more memory (ulimit -n, ulimit -v), or build Outrider again; --debug shows where.");
        if (debug) {
            problem.printStackTrace(err);
        }
        return ExitCode.FAILURE;
    }

    private static int run(boolean debug, String... arguments) {
        logWarningsOnly(debug);
        var interruption = new Interruption();
        interruption.listen();
        try {
            return Application.run(
                    Console.ofProcess(),
                    interruption,
                    PluginPlace.ofProcess(),
                    CommandContext.hub(System.getenv()),
                    arguments);
        } finally {
            System.out.flush();
            System.err.flush();
            interruption.finished();
        }
    }

    /// Log messages are for developers: only warnings are shown unless `--debug` is given. Called before the first logger is made.
    private static void logWarningsOnly(boolean debug) {
        if (System.getProperty(LOG_LEVEL) == null) {
            if (debug) {
                System.setProperty(LOG_LEVEL, "DEBUG");
            } else {
                PARQUET.setLevel(Level.WARNING);
            }
        }
    }
}
