package dev.outrider.cli;

import dev.outrider.common.NearestName;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.Variant;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// A command of the program, which returns its exit code. [Application] constructs it and gives it the context. Its help is in
/// `help.properties`.
abstract class Subcommand implements Callable<Integer> {
    private static final int MAX_THREADS = 4;

    private @Nullable CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    final void use(CommandContext given) {
        context = given;
    }

    final CommandContext context() {
        return Objects.requireNonNull(context, "this command has no context yet");
    }

    final PrintStream out() {
        return context().out();
    }

    final PrintStream err() {
        return context().err();
    }

    /// Returns the error for a mistake in the command line.
    final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /// Refuses a value.
    ///
    /// @param option   such as `--workers`
    /// @param expected the expected values, such as `1 or more`
    /// @throws ParameterException unless the condition holds
    final void require(boolean condition, String option, Object value, String expected) {
        if (!condition) {
            throw wrong("%s is %s, expected %s".formatted(option, value, expected));
        }
    }

    /// Returns the number of threads of an option; without it the number of processors, at most four.
    ///
    /// @throws ParameterException unless it is 1 or more
    final int threads(Optional<Integer> asked) {
        int count =
                asked.orElseGet(
                        () -> Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()));
        require(count >= 1, "--threads", count, "1 or more");
        return count;
    }

    /// Refuses a name that does not exist, and proposes the nearest one.
    ///
    /// @throws ParameterException if it is not among the names
    final void requireOneOf(String option, String value, Collection<String> names) {
        String guess =
                NearestName.to(value, names).map("; did you mean '%s'?"::formatted).orElse("");
        require(
                names.contains(value),
                option,
                value.isEmpty() ? "''" : value,
                "one of " + String.join(", ", names) + guess);
    }

    /// Returns the experiment with only the variants of `--variant`, so that no other drafter is loaded.
    ///
    /// @param further names that are allowed and mean no variant
    /// @throws ParameterException if it has no variant of one of the names
    final ExperimentConfig only(Collection<String> names, ExperimentConfig all, String... further) {
        var known = new ArrayList<>(List.of(further));
        all.variants().forEach(each -> known.add(each.name()));
        names.forEach(name -> requireOneOf("--variant", name, known));
        return all.withVariants(
                all.variants().stream().filter(each -> names.contains(each.name())).toList());
    }

    /// Returns the request to continue a prompt with the settings of an experiment.
    static DecodeRequest request(
            ExperimentConfig experiment, Variant variant, EncodedPrompt prompt) {
        return new DecodeRequest(
                prompt.array(),
                experiment.maxTokens(),
                variant.policy(),
                experiment.stop(),
                experiment.ignoreEndOfSequence(),
                prompt.source());
    }
}
