package dev.outrider.engine.acceptance;

import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.tree.TreeShape;
import java.util.Set;

/// Multi-step speculative sampling: children drawn independently from q are tested one after the other, each
/// against the residual that the earlier tests left of the target's distribution. See [SiblingRejection].
///
/// @see "Miao et al. 2023 (SpecInfer), algorithm 2"
public final class MultiStepRule extends SiblingRejection {
    public MultiStepRule() {
        super(
                RuleTraits.exact(
                        "multi-step",
                        Set.of(Selection.Kind.INDEPENDENT),
                        TreeShape.TREE,
                        "Miao et al. 2023 (SpecInfer), algorithm 2"));
    }
}
