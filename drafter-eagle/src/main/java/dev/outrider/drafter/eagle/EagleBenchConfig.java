package dev.outrider.drafter.eagle;

import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// What `outrider bench-draft eagle` reads.
public record EagleBenchConfig(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("1 for EAGLE-1 and EAGLE-2, 3 for EAGLE-3.") @Default("1") int generation,
        @Doc("Tokens of the head, 0 for all of the target's.") @Default("0") int draftVocabulary,
        @Doc("Steps of a chain.") @Default("5") int length,
        @Doc("Times each side is measured.") @Default("20") int turns) {}
