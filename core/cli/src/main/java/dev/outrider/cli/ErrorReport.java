package dev.outrider.cli;

import dev.outrider.common.PrintableText;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Prints the reason of a command's failure. An expected failure prints its message; any other failure also prints how to report
/// it; a wrong command line prints the mistake, the nearest spelling and where the help is.
///
/// @param console receives the report
record ErrorReport(Console console)
        implements IExecutionExceptionHandler, IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException problem, String[] arguments) {
        CommandLine command = problem.getCommandLine();
        var err = command.getErr();
        err.println("USAGE: " + PrintableText.of(String.valueOf(problem.getMessage())));
        UnmatchedArgumentException.printSuggestions(problem, err);
        err.println(
                "  Run '%s --help' for what it takes, with examples."
                        .formatted(command.getCommandSpec().qualifiedName()));
        return ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(
            Exception problem, CommandLine command, ParseResult parsed) {
        return problem instanceof ParameterException usage
                ? handleParseException(usage, new String[0])
                : report(problem, parsed.expandedArgs().contains("--debug"));
    }

    /// @param debug whether to print the stack trace
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
        if (problem instanceof NoClassDefFoundError missing
                && !(missing.getCause() instanceof ExceptionInInitializerError)) {
            return Main.unloaded(missing, debug, console.err());
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
                ErrorCode.OUT_OF_MEMORY.error(
                        "the Java heap of %d MiB is full (%s)"
                                .formatted(megabytes, problem.getMessage()),
                        "Give it more with OUTRIDER_JAVA_OPTIONS=-Xmx%dm, or ask for less at once."
                                .formatted(2 * megabytes));
        console.err().println(message.getMessage());
        return ExitCode.FAILURE;
    }

    /// Returns the error for a failure to read or write that does not name the file.
    static OutriderException of(String task, IOException cause) {
        return ErrorCode.IO_FAILED.error(
                "'%s' cannot read or write a file: %s".formatted(task, cause),
                "Check the paths of the configuration, and that there is space.",
                cause);
    }
}
