package dev.outrider.cli;

import java.util.Optional;
import picocli.CommandLine.Option;

/// At which other costs results are looked at.
final class CostsOfOption {
    @Option(
            names = "--costs-of",
            paramLabel = "SHAPE|RESULT|FILE",
            description = {
                "Also say what the same rounds would give at other costs, and which variants pay there:"
                        + " of a named shape, timed here on random weights, such as tinyllama-1.1b, or with the draft model's own"
                        + " shape tinyllama-1.1b+stories15m;",
                "of another machine's results, a folder; or typed into a YAML file (docs/guide/reports.md)."
            })
    private Optional<String> costsOf = Optional.empty();

    Optional<String> value() {
        return costsOf;
    }
}
