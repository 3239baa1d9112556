package dev.outrider.engine.acceptance;

import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Randomness;
import dev.outrider.spi.Draft;
import dev.outrider.spi.RuleTraits;
import dev.outrider.spi.SelectionKind;
import dev.outrider.spi.TargetDistributions;
import dev.outrider.spi.TreeShape;
import dev.outrider.spi.Verdict;
import java.util.Set;

/// Multi-step speculative sampling: children drawn independently from q are tested one after the other, each
/// against what the earlier ones left of the target's distribution. See [SiblingRejection].
///
/// @see "Miao et al. 2023 (SpecInfer), algorithm 2"
public final class MultiStepRule implements AcceptanceRule {
    private static final RuleTraits TRAITS =
            RuleTraits.exact("multi-step",
                    Set.of(SelectionKind.INDEPENDENT),
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
