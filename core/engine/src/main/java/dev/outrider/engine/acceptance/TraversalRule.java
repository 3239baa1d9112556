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
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/// Traversal verification: judges a sampled tree bottom-up. A node is visited with the weight a that its
/// path carries; its children are visited first, in draw order, each with weight
/// `min(a B(c) / S(c), 1)`. When a child fails, `R = max(a B - S, 0)` with mass m, `a := m / (m + 1 - a)` and
/// `B := R / m`. A node whose children all failed is kept with probability a, and then a token of B follows.
///
/// On a chain this is block verification; at depth 1 it is the sibling rule of the same selection.
///
/// @see "Weng et al. 2025: Traversal verification for speculative tree decoding (arXiv 2505.12398)"
public final class TraversalRule implements AcceptanceRule {
    private static final RuleTraits TRAITS =
            RuleTraits.exact(
                    "traversal",
                    Set.of(Selection.Kind.INDEPENDENT, Selection.Kind.WITHOUT_REPLACEMENT),
                    TreeShape.TREE,
                    "Weng et al. 2025, algorithm 1");

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        return new Traversal(draft, target, randomness)
                .visit(0, 1)
                .orElseThrow(() -> new IllegalStateException("the root is kept with certainty"));
    }

    private record Traversal(Draft draft, TargetDistributions target, Randomness randomness) {
        /// The verdict of a path through `node`, if one is kept.
        Optional<Verdict> visit(int node, double pathWeight) {
            if (pathWeight <= 0) {
                return Optional.empty(); // nothing below can gain weight: every S is positive
            }
            var tree = draft.tree();
            boolean tested = TreeWalk.hasCandidates(tree, node);
            if (!tested) {
                return randomness.accept(node, pathWeight, 1)
                        ? Optional.of(kept(node, Residual.at(target, node), false))
                        : Optional.empty();
            }
            double weight = pathWeight;
            var left = Residual.at(target, node);
            var siblings = SiblingDistribution.at(draft, node);
            for (int child : tree.candidates(node)) {
                int token = tree.token(child);
                double s = siblings.of(token);
                var verdict = visit(child, s > 0 ? Math.min(weight * left.of(token) / s, 1) : 0);
                if (verdict.isPresent()) {
                    return verdict;
                }
                double mass = left.subtract(weight, siblings);
                double total =
                        mass + (1 - weight); // exactly mass where weight is 1: the root stays
                weight = total > 0 ? mass / total : 1;
                siblings.drawn(token);
            }
            return randomness.accept(node, weight, 1)
                    ? Optional.of(kept(node, left, true))
                    : Optional.empty();
        }

        private Verdict kept(int node, Residual left, boolean tested) {
            var role = tested ? Randomness.Role.RESIDUAL : Randomness.Role.BONUS;
            int next = left.draw(randomness, role);
            var path = Arrays.stream(draft.tree().path(node)).skip(1).boxed().toList();
            return new Verdict(path, next, tested ? Origin.CORRECTION : Origin.BONUS);
        }
    }
}
