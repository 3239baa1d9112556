package dev.outrider.engine.acceptance;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;

/// Drafter-invariant speculative decoding: the token at a position is the argmax of `log p(x) + g(x)`, with
/// Gumbel noise g that depends on seed, request and position alone. Guesses that are the target's token are
/// kept, and nothing else about them matters: a seed's output is the same for every drafter and for none,
/// and exact for every draft.
///
/// A drafter that takes the argmax of `log q(x) + g(x)` with the same noise
/// ([dev.outrider.spi.draft.TreePlan.Coupled]) agrees with probability
/// `sum_x 1 / sum_y max(p(y) / p(x), q(y) / q(x))`, which is at least `(1 - TV) / (1 + TV)`. Other drafts are
/// accepted as by [SampleAndMatchRule].
///
/// @see "Daliri, Musco, Suresh 2024: Coupling without communication and drafter-invariant speculative decoding"
public final class GumbelCoupledRule implements AcceptanceRule {
    private static final RuleTraits TRAITS =
            RuleTraits.exact(
                    "gumbel-coupled",
                    Selection.Kind.any(),
                    TreeShape.TREE,
                    "Daliri, Musco, Suresh 2024, drafter-invariant speculative decoding");

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        return TreeWalk.follow(
                draft.tree(),
                node ->
                        randomness
                                .gumbelTopK(target.position(node), target.distribution(node), 1)[
                                0]);
    }
}
