package dev.outrider.drafter.self;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.spi.target.PartialPasses;
import dev.outrider.spi.target.PartialPasses.LayerSubset;

/// Chooses the target's layers that draft a round of one sequence. Confined to the sequence's
/// thread.
@FunctionalInterface
interface LayerChoice {
    /// Returns the layers of the next draft: a function of the committed text, never of what will
    /// be drawn.
    ///
    /// @param tokens the committed text, the root last
    /// @param passes of the sequence, to try sets of layers
    LayerSubset choose(CommittedTokens tokens, PartialPasses passes);
}
