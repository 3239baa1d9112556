package dev.outrider.cli;

import java.util.List;
import picocli.CommandLine.Option;

/// The option `--set`, wherever a configuration is read.
final class SetOption {
    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "Change a key of the configuration, such as maxTokens=64 or variants[0].drafter.length=3; can be given"
                            + " more than once.")
    private List<String> values = List.of();

    List<String> values() {
        return values;
    }
}
