package dev.outrider.drafter.eagle;

import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// What `outrider bench-draft p-eagle` reads.
public record PEagleBenchConfig(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("Layers, the first of which reads embedding and feature.") @Default("2") int layers,
        @Doc("Tokens of the head, 0 for all of the target's.") @Default("0") int draftVocabulary,
        @Doc("Guesses of a draft.") @Default("5") int length,
        @Doc("Rows of true features that come new with a round.") @Default("3") int fed,
        @Doc("Times each side is measured.") @Default("20") int turns) {}
