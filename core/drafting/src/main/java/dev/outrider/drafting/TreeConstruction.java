package dev.outrider.drafting;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.TokenHistory;

/// One way of growing a tree.
sealed interface TreeConstruction permits StaticTree, SampledTree, DynamicTree {
    /// Begins one draft.
    GrowingDraft grow(Request request);

    /// A draft that is asked for.
    ///
    /// @param dependence what logits depend on
    /// @param committed  all committed tokens, the root last
    /// @param budget     within the plan
    /// @param randomness the round's randomness
    record Request(
            DraftStepper.Dependence dependence,
            TokenHistory committed,
            DraftBudget budget,
            Randomness randomness) {
        DraftTreeBuilder root() {
            return new DraftTreeBuilder(committed.committed()[committed.length() - 1]);
        }
    }
}
