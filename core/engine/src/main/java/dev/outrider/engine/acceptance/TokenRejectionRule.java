package dev.outrider.engine.acceptance;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.Selection.Independent;
import dev.outrider.spi.draft.Selection.PointMass;
import dev.outrider.spi.draft.Selection.WithoutReplacement;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.ArrayList;
import java.util.List;

/// Speculative sampling along a chain: accept x with probability `min(1, p(x) / q(x))`; at the first
/// rejection draw from `max(p - q, 0)`, normalised; after the last acceptance draw from p.
///
/// A guess that was not drawn from a known distribution (argmax, lookup) has a one-hot q. A drawn guess with
/// `q(x) = 0`, which only rounding can produce, is rejected.
///
/// @see "Leviathan et al. 2023, algorithm 1; Chen et al. 2023, algorithm 2"
public final class TokenRejectionRule implements AcceptanceRule {
    private static final RuleTraits TRAITS =
            RuleTraits.exact(
                    "token",
                    Selection.Kind.any(),
                    TreeShape.CHAIN,
                    "Leviathan et al. 2023, algorithm 1");

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        return switch (draft.selection()) {
            case PointMass() -> decideOneHot(draft.tree(), target, randomness);
            case Independent _, WithoutReplacement _ -> decideSampled(draft, target, randomness);
        };
    }

    private static Verdict decideSampled(
            Draft draft, TargetDistributions target, Randomness randomness) {
        var chain = draft.tree();
        var accepted = new ArrayList<Integer>(chain.draftedNodes());
        for (int node = 0; node < chain.draftedNodes(); node++) {
            int token = chain.token(node + 1);
            double p = target.distribution(node)[token];
            var drafts = SiblingDistribution.at(draft, node);
            double q = drafts.of(token);
            if (!(q > 0 && randomness.accept(node + 1, p, q))) {
                var left = Residual.at(target, node);
                left.subtract(1, drafts);
                return corrected(accepted, left, randomness);
            }
            accepted.add(node + 1);
        }
        return bonus(accepted, target, randomness);
    }

    private static Verdict decideOneHot(
            TokenTree chain, TargetDistributions target, Randomness randomness) {
        var accepted = new ArrayList<Integer>(chain.draftedNodes());
        for (int node = 0; node < chain.draftedNodes(); node++) {
            int token = chain.token(node + 1);
            if (!randomness.accept(node + 1, target.distribution(node)[token], 1)) {
                var left = Residual.at(target, node);
                left.remove(token);
                return corrected(accepted, left, randomness);
            }
            accepted.add(node + 1);
        }
        return bonus(accepted, target, randomness);
    }

    private static Verdict corrected(List<Integer> accepted, Residual left, Randomness randomness) {
        int next = left.draw(randomness, Randomness.Role.RESIDUAL);
        return new Verdict(accepted, next, Origin.CORRECTION);
    }

    private static Verdict bonus(
            List<Integer> accepted, TargetDistributions target, Randomness randomness) {
        int leaf = accepted.size();
        int next = Residual.at(target, leaf).draw(randomness, Randomness.Role.BONUS);
        return new Verdict(accepted, next, Origin.BONUS);
    }
}
