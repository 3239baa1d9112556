package dev.outrider.engine.acceptance;

import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.tree.TreeShape;
import java.util.Set;

/// Recursive rejection sampling without replacement: like SpecInfer's rule, but the distribution of a sibling has the
/// tokens of earlier ones removed, and so a node with as many children as tokens always accepts. Siblings
/// must be judged in draw order, none left out. See [SiblingRejection].
///
/// @see "Chen et al. 2024 (Sequoia), algorithm 2; Yang et al. 2024: Multi-candidate speculative decoding"
public final class WithoutReplacementRule extends SiblingRejection {
    public WithoutReplacementRule() {
        super(
                RuleTraits.exact(
                        "without-replacement",
                        Set.of(Selection.Kind.WITHOUT_REPLACEMENT),
                        TreeShape.TREE,
                        "Chen et al. 2024 (Sequoia), algorithm 2"));
    }
}
