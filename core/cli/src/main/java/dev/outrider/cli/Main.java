package dev.outrider.cli;

import java.io.PrintStream;
import java.util.List;

/// Entry point of the launcher.
public final class Main {
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

    /// Reports that a class of Outrider cannot be loaded: a jar is damaged, or the process may open no more files. Uses only classes that
    /// are already loaded.
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
        if (debug) {
            logEverything();
        }
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

    /// Log messages are for developers: without this, `simplelogger.properties` shows warnings only. Called before the first logger is made.
    private static void logEverything() {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "debug");
        System.setProperty("org.slf4j.simpleLogger.log.ai.djl", "debug");
        // It would log the end of the program with a stack trace.
        System.setProperty("org.slf4j.simpleLogger.log.java.lang.Runtime", "info");
    }
}
