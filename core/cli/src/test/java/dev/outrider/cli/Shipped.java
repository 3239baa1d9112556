package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The files that the repository ships, and commands on them.
final class Shipped {
    static final Path ROOT = Path.of(System.getProperty("outrider.root", "../.."));
    static final String TARGET = ROOT.resolve("models/demo-target").toString();
    static final String TINY_TARGET = ROOT.resolve("models/tiny-target").toString();

    /// The comparison `in-cache` on the tiny models.
    static final String IN_CACHE =
            ROOT.resolve("core/cli/src/test/resources/in-cache.yaml").toString();

    private Shipped() {}

    /// The path of a configuration.
    static String config(String name) {
        return ROOT.resolve("configs").resolve(name).toString();
    }

    /// Returns the output of `outrider generate` as JSON. The command continues after an end-of-sequence token, and models keep
    /// their own shape.
    static JsonNode generated(int tokens, String... options) throws IOException {
        var command =
                new ArrayList<>(
                        List.of(
                                "generate",
                                "--max-tokens",
                                Integer.toString(tokens),
                                "--set",
                                "ignoreEndOfSequence=true",
                                "--shape",
                                "none",
                                "--json"));
        command.addAll(List.of(options));
        var run = Run.of(command.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        return new ObjectMapper().readTree(run.out());
    }

    /// Trains for two steps of 16 tokens.
    ///
    /// @param what    the words after `train`
    /// @param config  name of the configuration
    /// @param changes of it, such as `out=DIR`
    static Run trained(String what, String config, String... changes) {
        var command = new ArrayList<>(List.of("train"));
        command.addAll(List.of(what.split(" ")));
        command.addAll(List.of("--config", config(config)));
        var all =
                new ArrayList<>(
                        List.of(
                                "training.learningRate.steps=2",
                                "training.learningRate.warmupSteps=1",
                                "training.rows=1",
                                "training.contextTokens=16",
                                "training.validationRows=1"));
        all.addAll(List.of(changes));
        for (var change : all) {
            command.add("--set");
            command.add(change);
        }
        return Run.of(command.toArray(String[]::new));
    }
}
