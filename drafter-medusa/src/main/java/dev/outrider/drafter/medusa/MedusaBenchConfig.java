package dev.outrider.drafter.medusa;

import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// What `outrider bench-draft medusa` reads.
public record MedusaBenchConfig(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("Number of heads.") @Default("4") int heads,
        @Doc("Whose vocabulary projection they use.") @Default("target")
                HeadPlan.Projection projection,
        @Doc("Best tokens read of each head.") @Default("10") int ranks,
        @Doc("Times each side is measured.") @Default("30") int turns) {}
