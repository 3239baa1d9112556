package dev.outrider.cli;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/// What a failed command answers: of an expected failure its message alone, of any other how to report it.
final class ErrorReport implements IExecutionExceptionHandler {
    private final Console console;

    ErrorReport(Console console) {
        this.console = console;
    }

    @Override
    public int handleExecutionException(
            Exception problem, CommandLine command, ParseResult parsed) {
        if (problem instanceof CommandLine.ParameterException usage) {
            return new UsageReport().handleParseException(usage, new String[0]);
        }
        return report(problem, parsed.expandedArgs().contains("--debug"));
    }

    /// @param debug whether the stack trace is wanted
    int report(Throwable problem, boolean debug) {
        if (problem instanceof OutriderException expected) {
            console.err().println(expected.getMessage());
            if (debug) {
                expected.printStackTrace(console.err());
            }
            return ExitCode.of(expected.code());
        }
        if (problem instanceof OutOfMemoryError memory) {
            return outOfMemory(memory);
        }
        if (problem instanceof NoClassDefFoundError unloaded
                && !(unloaded.getCause() instanceof ExceptionInInitializerError)) {
            return new UnloadedClass(debug).report(unloaded, console.err());
        }
        console.err().println("INTERNAL: " + problem);
        console.err()
                .println("  This is a mistake in Outrider. Please report it with the output of");
        console.err().println("  'outrider doctor' and of the same command with --debug added.");
        if (debug) {
            problem.printStackTrace(console.err());
        }
        return ExitCode.FAILURE;
    }

    int outOfMemory(OutOfMemoryError problem) {
        long megabytes = Runtime.getRuntime().maxMemory() >> 20;
        var message =
                new OutriderException(
                        ErrorCode.OUT_OF_MEMORY,
                        "the Java heap of %d MiB is full (%s)"
                                .formatted(megabytes, problem.getMessage()),
                        "Give it more with OUTRIDER_JAVA_OPTIONS=-Xmx%dm, or ask for less at once."
                                .formatted(2 * megabytes));
        console.err().println(message.getMessage());
        return ExitCode.FAILURE;
    }
}
