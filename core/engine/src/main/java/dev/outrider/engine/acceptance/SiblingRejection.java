package dev.outrider.engine.acceptance;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.ArrayList;

/// The walk of rules that judge siblings one after the other. At a node with distribution p, `B := p`, and the
/// children are tested in draw order. The walk descends into an accepted child. If none is accepted, the next token is drawn
/// from B, the residual of p after the tests.
///
/// [#chosen] has the tests of speculative sampling, SpecInfer and Sequoia: child c, drawn from S, is accepted with
/// probability `min(1, B(c) / S(c))`, else `B := norm(max(B - S, 0))` and S goes on to the next sibling. SpecTr's
/// rule overrides it: all its children are tested against p, and B changes once, after the last of them.
abstract class SiblingRejection implements AcceptanceRule {
    private final RuleTraits traits;

    SiblingRejection(RuleTraits traits) {
        this.traits = traits;
    }

    @Override
    public final RuleTraits traits() {
        return traits;
    }

    @Override
    public final Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        var tree = draft.tree();
        var accepted = new ArrayList<Integer>(tree.maxDepth());
        int node = 0;
        while (TreeWalk.hasCandidates(tree, node)) {
            var left = Residual.at(target, node);
            int chosen = chosen(draft, node, left, randomness);
            if (chosen < 0) {
                int next = left.draw(randomness, Randomness.Role.RESIDUAL);
                return new Verdict(accepted, next, Origin.CORRECTION);
            }
            accepted.add(chosen);
            node = chosen;
        }
        int next = Residual.at(target, node).draw(randomness, Randomness.Role.BONUS);
        return new Verdict(accepted, next, Origin.BONUS);
    }

    /// Returns the first child that passes its test, or -1; then `left` is the distribution of the next token.
    ///
    /// A repeated sibling is tested and subtracted again: leaving it out would be wrong. A child with `S(c) = 0`,
    /// which only rounding can produce, is rejected.
    int chosen(Draft draft, int node, Residual left, Randomness randomness) {
        var siblings = SiblingDistribution.at(draft, node);
        for (int child : draft.tree().candidates(node)) {
            int token = draft.tree().token(child);
            double s = siblings.of(token);
            if (s > 0 && randomness.accept(child, left.of(token), s)) {
                return child;
            }
            left.subtract(1, siblings);
            siblings.drawn(token);
        }
        return -1;
    }
}
