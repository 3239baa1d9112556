package dev.outrider.drafting;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.TokenHistory;

/// One way of growing a tree.
sealed interface TreeConstruction permits StaticTree, SampledTree, DynamicTree {
    /// Begins one draft of at most `budget`, which is within the plan.
    GrowingDraft grow(
            DraftStepper.Dependence dependence,
            int rootToken,
            TokenHistory committed,
            DraftBudget budget,
            Randomness randomness);
}
