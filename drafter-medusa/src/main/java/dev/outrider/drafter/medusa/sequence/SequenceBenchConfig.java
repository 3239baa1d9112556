package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.HeadPlan;
import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// What `outrider bench-draft sequence` reads.
public record SequenceBenchConfig(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("Whose heads.") @Default("hydra") Kind kind,
        @Doc("Guesses of a chain.") @Default("4") int length,
        @Doc("Residual blocks of a head.") @Default("1") int layers,
        @Doc("Whose vocabulary projection they use.") @Default("target")
                HeadPlan.Projection projection,
        @Doc("Times each side is measured.") @Default("20") int turns) {
    /// Kinds of heads that see the tokens drafted before.
    public enum Kind {
        HYDRA,
        REDRAFTER
    }

    public SequenceBenchConfig {
        if (length < 1 || layers < 1 || turns < 1) {
            throw new IllegalArgumentException(
                    "length %d, layers %d and turns %d must be positive"
                            .formatted(length, layers, turns));
        }
    }
}
