package dev.outrider.drafter.self;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.PartialPasses;

/// Says which of the target's layers draft a round of one sequence. Confined to the sequence's thread.
@FunctionalInterface
interface LayerChoice {
    /// The layers for the next draft: a function of the committed text, never of what is about to be drawn.
    ///
    /// @param tokens the committed text, the root last
    /// @param passes of the sequence, in case they are to be tried
    LayerSubset choose(CommittedTokens tokens, PartialPasses passes);
}
