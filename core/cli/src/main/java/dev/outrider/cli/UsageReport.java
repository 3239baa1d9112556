package dev.outrider.cli;

import dev.outrider.common.PrintableText;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// What a mistyped command line answers: the mistake, the nearest spelling, and where the help is. Not the whole help, under
/// which the mistake would scroll away.
final class UsageReport implements IParameterExceptionHandler {
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
}
