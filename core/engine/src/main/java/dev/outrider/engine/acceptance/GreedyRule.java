package dev.outrider.engine.acceptance;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;

/// Keeps the longest root path that equals the target's own argmax, then adds the argmax at its end.
///
/// At temperature 0 every lossless rule is this rule, for every draft (docs/reference/algorithms.md I7), and no
/// distribution is ever computed. At other temperatures it is not exact.
///
/// @see "Stern et al. 2018: Blockwise parallel decoding, section 3"
public final class GreedyRule implements AcceptanceRule {
    private static final RuleTraits TRAITS =
            RuleTraits.exactWhenGreedy(
                    "greedy", Selection.Kind.any(), TreeShape.TREE, "Stern et al. 2018, section 3");

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        return TreeWalk.follow(draft.tree(), target::mode);
    }
}
