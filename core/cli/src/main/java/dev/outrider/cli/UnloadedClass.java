package dev.outrider.cli;

import java.io.PrintStream;
import java.util.List;

/// What to say of a class that was there when Outrider was built: a jar is damaged, or the system lets the process open no
/// more. Made before that can happen, it needs no class that is not loaded yet.
///
/// @param debug whether the stack trace is wanted
record UnloadedClass(boolean debug) {
    static UnloadedClass of(String... arguments) {
        return new UnloadedClass(List.of(arguments).contains("--debug"));
    }

    /// @return the exit code
    int report(LinkageError problem, PrintStream err) {
        err.println("IO_FAILED: a part of Outrider cannot be loaded: ".concat(problem.toString()));
        err.println(
                "  Let the process open more files and use more memory (ulimit -n, ulimit -v), or build Outrider again; --debug shows where.");
        if (debug) {
            problem.printStackTrace(err);
        }
        return ExitCode.FAILURE;
    }
}
