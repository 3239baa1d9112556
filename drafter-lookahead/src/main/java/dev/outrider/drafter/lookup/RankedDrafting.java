package dev.outrider.drafter.lookup;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.tree.TreeShape;
import java.util.Optional;

/// Settings of drafters that draft static trees of ranks from a [SuccessorStore].
public record RankedDrafting(
        @Doc("Nodes of the static tree, 1 to 512; the most promising ranks are taken first.")
                @Default("16")
                int nodes,
        @Doc("Depth of the static tree, 1 to 32.") @Default("6") int depth,
        @Doc("A tree of ranks in place of 'nodes' and 'depth': chain, widths or paths.")
                Optional<TreePlan> tree,
        @Doc(
                        "Whether what follows what in the prompt, and in the source of an encoder-decoder, is learnt before the first round.")
                @Default("true")
                boolean seedFromPrompt,
        @Doc(
                        "Whether a sequence starts from what the one that closed last had learnt. Drafts, and sampled"
                                + " output, then depend on their order; the output's distribution does not.")
                @Default("false")
                boolean keepAcrossSequences) {
    private static final int MAX_NODES = 512;
    private static final int MAX_DEPTH = 32;

    public RankedDrafting {
        if (nodes < 1 || nodes > MAX_NODES) {
            throw new IllegalArgumentException(
                    "nodes %d must be between 1 and 512".formatted(nodes));
        }
        if (depth < 1 || depth > MAX_DEPTH) {
            throw new IllegalArgumentException(
                    "depth %d must be between 1 and 32".formatted(depth));
        }
        tree.ifPresent(RankTree::of);
    }

    /// Returns the static tree.
    public RankTree rankTree() {
        return tree.map(RankTree::of).orElseGet(() -> RankTree.grown(nodes, depth));
    }

    /// Returns the traits of a drafter of such trees that reads no scores.
    public DrafterTraits traits() {
        var ranks = rankTree();
        return DrafterTraits.tree(ranks.size(), ranks.depth())
                .shaped(ranks.isChain() ? TreeShape.CHAIN : TreeShape.TREE);
    }
}
