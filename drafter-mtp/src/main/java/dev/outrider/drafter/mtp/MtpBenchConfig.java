package dev.outrider.drafter.mtp;

import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// What `outrider bench-draft mtp` reads.
public record MtpBenchConfig(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("Steps of a chain.") @Default("5") int length,
        @Doc("Times each side is measured.") @Default("20") int turns) {}
