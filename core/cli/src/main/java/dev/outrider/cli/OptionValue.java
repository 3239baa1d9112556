package dev.outrider.cli;

import dev.outrider.common.NearestName;
import java.util.Collection;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// Checks of what options are given that the parser of the command line cannot make.
final class OptionValue {
    private OptionValue() {}

    /// Refuses a value.
    ///
    /// @param spec     of the command
    /// @param option   such as `--workers`
    /// @param expected what would be right, such as `1 or more`
    /// @throws ParameterException unless the condition holds
    static void require(
            CommandSpec spec, boolean condition, String option, Object value, String expected) {
        if (!condition) {
            throw new ParameterException(
                    spec.commandLine(), "%s is %s, expected %s".formatted(option, value, expected));
        }
    }

    /// Refuses a name that there is not, with the nearest one.
    ///
    /// @throws ParameterException if it is not among the names
    static void requireOneOf(
            CommandSpec spec, String option, String value, Collection<String> names) {
        String guess =
                NearestName.to(value, names).map("; did you mean '%s'?"::formatted).orElse("");
        require(
                spec,
                names.contains(value),
                option,
                value.isEmpty() ? "''" : value,
                "one of " + String.join(", ", names) + guess);
    }
}
