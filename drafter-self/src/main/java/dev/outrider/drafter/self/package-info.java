/// Self-speculation: `early-exit` drafts with the target's first layers, `skip-layers` with all but some
/// sub-layers. They have no weights and no cache of their own, but passes through a part of the
/// target's layers ([dev.outrider.spi.target.PartialPasses]).
///
/// @see "Elhoushi et al. 2024 (LayerSkip), arXiv 2404.16710; Zhang et al. 2023 (Draft & Verify),
///     arXiv 2309.08168"
@NullMarked
package dev.outrider.drafter.self;

import org.jspecify.annotations.NullMarked;
