package dev.outrider.drafter.self;

import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// Configuration of `outrider bench-draft self`.
public record SelfBenchConfig(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("Layers that guess in early exit.") @Default("2") int layer,
        @Doc("Share of the sub-layers that are skipped otherwise.") @Default("0.45") double share,
        @Doc("Guesses of a chain.") @Default("4") int length,
        @Doc("Tokens that a set of sub-layers is tried on.") @Default("32") int tokens,
        @Doc("Times each side is measured.") @Default("20") int turns) {}
