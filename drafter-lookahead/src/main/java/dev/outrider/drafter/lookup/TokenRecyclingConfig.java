package dev.outrider.drafter.lookup;

import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.spi.draft.DrafterTraits;

/// Configuration of the drafter `token-recycling`. As published: `nodes: 80, depth: 6, seedFromPrompt: false,
/// keepAcrossSequences: true`; the static tree of 80 nodes there has levels of 8, 21, 25, 15, 8 and 3 nodes, the one grown
/// here 8, 21, 25, 14, 11 and 1.
@Doc(
        "Drafts trees from a matrix of likely successors, refreshed from everything the target scores.")
public record TokenRecyclingConfig(@Inline RankedDrafting drafting) {
    DrafterTraits traits() {
        return drafting.traits().readingRejectedNodes();
    }
}
