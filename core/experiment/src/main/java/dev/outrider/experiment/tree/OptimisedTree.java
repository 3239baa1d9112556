package dev.outrider.experiment.tree;

import dev.outrider.engine.metrics.RankCounts;
import dev.outrider.engine.theory.OptimalTrees;
import dev.outrider.engine.theory.RoundCost;
import dev.outrider.experiment.config.VariantConfig;
import dev.outrider.config.TreeFile;

/// What an optimisation found.
///
/// @param variant the variant with the tree
/// @param rule    name of the acceptance rule that acceptance was measured with
/// @param counts  acceptance by rank
/// @param cost    what rounds cost, in nanoseconds
/// @param tree    the tree of least time per expected token
/// @param file    the tree as a file
public record OptimisedTree(
        VariantConfig variant,
        String rule,
        RankCounts counts,
        RoundCost cost,
        OptimalTrees.Tree tree,
        TreeFile file) {
    /// Name of the variant that drafts with the optimised tree.
    public static final String NAME = "optimised tree";

    /// Expected speedup over plain decoding.
    public double speedup() {
        return cost.speedup(tree);
    }
}
