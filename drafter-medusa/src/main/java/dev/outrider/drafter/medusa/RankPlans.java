package dev.outrider.drafter.medusa;

import dev.outrider.drafting.LevelPaths;
import dev.outrider.spi.draft.TreePlan;
import java.util.Collections;
import java.util.List;

/// Plans as rank paths, for those whose nodes are chosen by rank.
final class RankPlans {
    private RankPlans() {}

    /// @throws IllegalArgumentException if the plan's nodes are drawn
    static List<List<Integer>> paths(TreePlan plan) {
        return switch (plan) {
            case TreePlan.Chain(int length) -> LevelPaths.of(Collections.nCopies(length, 1));
            case TreePlan.LevelWidths(var widths) -> LevelPaths.of(widths);
            case TreePlan.RankPaths(var paths) -> paths;
            case TreePlan.Dynamic _ ->
                    throw new IllegalStateException("grown, not listed: " + plan);
            case TreePlan.SampledWithReplacement _,
                    TreePlan.SampledWithoutReplacement _,
                    TreePlan.SampledPaths _,
                    TreePlan.Coupled _ ->
                    throw new IllegalArgumentException(
                            "'tree' has sampled nodes, but Medusa's heads are ranked once a round;"
                                    + " give widths, paths, or topK, depth and totalNodes");
        };
    }
}
