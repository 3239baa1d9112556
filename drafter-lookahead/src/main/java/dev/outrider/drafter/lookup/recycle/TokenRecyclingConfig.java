package dev.outrider.drafter.lookup.recycle;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.tree.TreeShape;
import java.util.Optional;

/// Configuration of the drafter `token-recycling`. As published: `nodes: 80, depth: 6, seedFromPrompt: false,
/// keepAcrossSequences: true`; the static tree of 80 nodes there has levels of 8, 21, 25, 15, 8 and 3 nodes, the one grown
/// here 8, 21, 25, 14, 11 and 1.
@Doc(
        "Drafts trees from a matrix of likely successors, refreshed from everything the target scores.")
public record TokenRecyclingConfig(
        @Doc("Nodes of the static tree, 1 to 512; the most promising ranks are taken first.")
                @Default("16")
                int nodes,
        @Doc("Depth of the static tree, 1 to 32.") @Default("6") int depth,
        @Doc("A tree of ranks in place of 'nodes' and 'depth': chain, widths or paths.")
                Optional<TreePlan> tree,
        @Doc("Whether successors in the prompt fill the matrix before the first round.")
                @Default("true")
                boolean seedFromPrompt,
        @Doc(
                        "Whether a sequence starts from what earlier ones left. Drafts, and sampled output, then depend on"
                                + " their order; the output's distribution does not.")
                @Default("false")
                boolean keepAcrossSequences) {
    /// Successors remembered for every token.
    public static final int WIDTH = 8;

    private static final int MOST_NODES = 512;
    private static final int MOST_DEPTH = 32;

    public TokenRecyclingConfig {
        if (nodes < 1 || nodes > MOST_NODES) {
            throw new IllegalArgumentException(
                    "nodes %d must be between 1 and 512".formatted(nodes));
        }
        if (depth < 1 || depth > MOST_DEPTH) {
            throw new IllegalArgumentException(
                    "depth %d must be between 1 and 32".formatted(depth));
        }
        tree.ifPresent(RankTree::of);
    }

    RankTree rankTree() {
        return tree.map(RankTree::of).orElseGet(() -> RankTree.grown(nodes, depth));
    }

    DrafterTraits traits() {
        var ranks = rankTree();
        return DrafterTraits.tree(ranks.size(), ranks.depth())
                .shaped(ranks.isChain() ? TreeShape.CHAIN : TreeShape.TREE)
                .readingRejectedNodes();
    }
}
