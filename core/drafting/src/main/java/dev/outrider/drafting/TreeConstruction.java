package dev.outrider.drafting;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.TokenHistory;

/// A way to grow a tree.
sealed interface TreeConstruction permits StaticTree, SampledTree, DynamicTree {
    /// Grows one draft.
    DraftWithRows grow(Request request);

    /// The request for a draft.
    ///
    /// @param stepper    the network, at the start of a round; not called when the budget is empty
    /// @param committed  all committed tokens, the root last
    /// @param budget     within the plan
    /// @param randomness the round's randomness
    record Request(
            DraftStepper stepper,
            TokenHistory committed,
            DraftBudget budget,
            Randomness randomness) {
        DraftTreeBuilder root() {
            return new DraftTreeBuilder(committed.committed()[committed.length() - 1]);
        }
    }
}
