package dev.outrider.engine.acceptance;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.ArrayList;
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

    /// The recursion that SpecInfer's and Sequoia's rules share. At a node with distribution p, `B := p`; each child c in
    /// draw order, drawn from S, is accepted with probability `min(1, B(c) / S(c))`, else
    /// `B := norm(max(B - S, 0))` and S goes on to the next sibling. An accepted child is descended into; when
    /// none is, the next token is drawn from B.
    ///
    /// A repeated sibling is tested and subtracted again: leaving it out would be wrong.
    static final class SiblingRejection {
        private SiblingRejection() {}

        static Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            var tree = draft.tree();
            var accepted = new ArrayList<Integer>(tree.maxDepth());
            int node = 0;
            while (TreeWalk.hasCandidates(tree, node)) {
                var left = Residual.at(target, node);
                var siblings = SiblingDistribution.at(draft, node);
                int chosen = -1;
                for (int child : tree.candidates(node)) {
                    int token = tree.token(child);
                    double s = siblings.of(token);
                    if (s > 0 && randomness.accept(child, left.of(token), s)) {
                        chosen = child;
                        break;
                    }
                    left.subtract(1, siblings);
                    siblings.drawn(token);
                }
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
    }
}
