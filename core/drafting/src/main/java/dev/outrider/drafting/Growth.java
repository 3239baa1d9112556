package dev.outrider.drafting;

import dev.outrider.spi.Coins;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.TokenHistory;

/// One way of growing a tree.
sealed interface Growth permits RankedGrowth, SampledGrowth, DynamicGrowth {
    /// Grows one draft of at most `budget`, which is within the plan.
    Expansion grow(
            DraftStepper stepper,
            int rootToken,
            TokenHistory committed,
            DraftBudget budget,
            Coins coins);
}
