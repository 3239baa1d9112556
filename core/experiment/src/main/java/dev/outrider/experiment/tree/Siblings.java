package dev.outrider.experiment.tree;

import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.tree.TreeShape;
import java.util.Collections;
import java.util.List;

/// How the children of a node are chosen, which decides what a rank means and how plans of ranks are written.
enum Siblings {
    /// By falling probability.
    RANKED,
    /// Distinct draws, in draw order.
    DISTINCT,
    /// Independent draws, in draw order.
    INDEPENDENT;

    /// As the drafter chooses them now; where it drafts chains, a tree would have its most probable guesses.
    static Siblings of(DrafterTraits traits) {
        if (traits.shape() == TreeShape.CHAIN) {
            return RANKED;
        }
        if (traits.selections().contains(Selection.Kind.WITHOUT_REPLACEMENT)) {
            return DISTINCT;
        }
        return traits.selections().contains(Selection.Kind.INDEPENDENT) ? INDEPENDENT : RANKED;
    }

    /// A plan of explicit paths.
    TreePlan plan(List<List<Integer>> paths) {
        return switch (this) {
            case RANKED -> new TreePlan.RankPaths(paths);
            case DISTINCT -> new TreePlan.SampledPaths(paths, false);
            case INDEPENDENT -> new TreePlan.SampledPaths(paths, true);
        };
    }

    /// A plan in which every node above the greatest depth has `ranks` children.
    TreePlan full(int ranks, int depth) {
        var widths = Collections.nCopies(depth, ranks);
        return switch (this) {
            case RANKED -> new TreePlan.LevelWidths(widths);
            case DISTINCT -> new TreePlan.SampledWithoutReplacement(widths);
            case INDEPENDENT -> new TreePlan.SampledWithReplacement(widths);
        };
    }
}
