/// Drafters that are their target: `early-exit` guesses with its first layers. They have no weights and no cache of their own, but passes
/// through a part of the target's layers ([dev.outrider.spi.target.PartialPasses]).
///
/// @see "Elhoushi et al. 2024 (LayerSkip), arXiv 2404.16710"
@NullMarked
package dev.outrider.drafter.self;

import org.jspecify.annotations.NullMarked;
