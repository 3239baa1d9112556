package dev.outrider.engine.acceptance;

import dev.outrider.engine.acceptance.MultiStepRule.SiblingRejection;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;
import java.util.Set;

/// Recursive rejection sampling without replacement: like SpecInfer's rule, but the distribution of a sibling has the
/// tokens of earlier ones removed, and so a node with as many children as tokens always accepts. Siblings
/// must be judged in draw order, none left out. See [SiblingRejection].
///
/// @see "Chen et al. 2024 (Sequoia), algorithm 2; Yang et al. 2024: Multi-candidate speculative decoding"
public final class WithoutReplacementRule implements AcceptanceRule {
    private static final RuleTraits TRAITS =
            RuleTraits.exact(
                    "without-replacement",
                    Set.of(Selection.Kind.WITHOUT_REPLACEMENT),
                    TreeShape.TREE,
                    "Chen et al. 2024 (Sequoia), algorithm 2");

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        return SiblingRejection.decide(draft, target, randomness);
    }
}
