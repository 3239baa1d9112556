package dev.outrider.engine.acceptance;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;
import java.util.Set;

/// Multi-step speculative sampling: children drawn independently from q are tested one after the other, each
/// against what the earlier ones left of the target's distribution. See [SiblingRejection].
///
/// @see "Miao et al. 2023 (SpecInfer), algorithm 2"
public final class MultiStepRule implements AcceptanceRule {
    private static final RuleTraits TRAITS =
            RuleTraits.exact(
                    "multi-step",
                    Set.of(Selection.Kind.INDEPENDENT),
                    TreeShape.TREE,
                    "Miao et al. 2023 (SpecInfer), algorithm 2");

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        return SiblingRejection.decide(draft, target, randomness);
    }
}
