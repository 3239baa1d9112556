package dev.outrider.engine.acceptance;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;

/// Sample and match: draw `y ~ p` at a node and descend if a child carries it, else emit it.
///
/// This is the one-hot rejection rule (accept each child c with probability p(c), zero it and renormalise
/// otherwise) with all of a node's randomness drawn at once. It never looks at q, so it is exact for any tree,
/// sampled, searched, pruned or looked up; a node accepts with the target's mass on its children.
///
/// @see "Li et al. 2024 (EAGLE-2), evaluate_posterior; docs/reference/algorithms.md A3.3"
public final class SampleAndMatchRule implements AcceptanceRule {
    private static final RuleTraits TRAITS =
            RuleTraits.exact(
                    "sample-and-match",
                    Selection.Kind.any(),
                    TreeShape.TREE,
                    "Li et al. 2024 (EAGLE-2), verification");

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        var tree = draft.tree();
        return TreeWalk.follow(
                tree,
                node -> {
                    boolean tested = TreeWalk.hasCandidates(tree, node);
                    var role = tested ? Randomness.Role.RESIDUAL : Randomness.Role.BONUS;
                    return Residual.at(target, node).draw(randomness, role);
                });
    }
}
