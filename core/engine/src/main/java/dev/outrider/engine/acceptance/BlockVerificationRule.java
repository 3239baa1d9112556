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
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.stream.IntStream;

/// Block verification: judges a chain as a whole. With `P_0 = 1` and
/// `P_i = min(P_{i-1} p(x_i) / q(x_i), 1)`, the prefix of length i is kept, by a uniform of its own, with probability
///
/// - `h_i = Z_i / (Z_i + 1 - P_i)` for i < g, where `Z_i = sum_x max(P_i p(x) - q(x), 0)` after that prefix,
/// - `h_g = P_g`,
///
/// and the longest prefix that passes is kept. It accepts at least as much as token-level rejection in
/// expectation, and more from two tokens on. Stopping at the first failed test would be wrong: every prefix
/// has one, so the scan goes from the longest down.
///
/// A draft without distributions has one-hot q, for which nothing is gained; the token rule judges it.
///
/// @see "Sun et al. 2024: Block verification accelerates speculative decoding, algorithm 2"
public final class BlockVerificationRule implements AcceptanceRule {
    private static final RuleTraits TRAITS =
            RuleTraits.exact(
                    "block", Selection.Kind.any(), TreeShape.CHAIN, "Sun et al. 2024, algorithm 2");

    private final TokenRejectionRule tokenRule = new TokenRejectionRule();

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        return switch (draft.selection()) {
            case PointMass() -> tokenRule.decide(draft, target, randomness);
            case Independent _, WithoutReplacement _ -> decideSampled(draft, target, randomness);
        };
    }

    private static Verdict decideSampled(
            Draft draft, TargetDistributions target, Randomness randomness) {
        int length = draft.tree().draftedNodes();
        double[] weights = prefixWeights(draft, target);
        if (length == 0 || randomness.accept(length, weights[length], 1)) {
            return verdict(
                    length,
                    Residual.at(target, length).draw(randomness, Randomness.Role.BONUS),
                    true);
        }
        for (int prefix = length - 1; prefix > 0; prefix--) {
            double weight = weights[prefix];
            // h = weight (h / weight): h, a sum over the support, is needed only where the first
            // factor passes its test.
            if (weight > 0 && randomness.accept(prefix, weight, 1)) {
                double rest = Residual.at(target, prefix).massAbove(weight, q(draft, prefix));
                double failure = 1 - weight;
                // 0/0 counts as 1: p and q agree, and the prefix is certain to be kept.
                if (rest + failure <= 0
                        || randomness.accept(prefix, rest, weight * (rest + failure))) {
                    return corrected(draft, prefix, weight, target, randomness);
                }
            }
        }
        return corrected(draft, 0, 1, target, randomness);
    }

    /// P_0 to P_g; after a prefix of weight 0 all longer prefixes have weight 0.
    private static double[] prefixWeights(Draft draft, TargetDistributions target) {
        var chain = draft.tree();
        var weights = new double[chain.size()];
        weights[0] = 1;
        for (int node = 1; node < weights.length && weights[node - 1] > 0; node++) {
            int token = chain.token(node);
            double q = q(draft, node - 1).of(token);
            double p = target.distribution(node - 1)[token];
            weights[node] = q > 0 ? Math.min(weights[node - 1] * p / q, 1) : 0;
        }
        return weights;
    }

    private static SiblingDistribution q(Draft draft, int node) {
        return SiblingDistribution.at(draft, node);
    }

    private static Verdict corrected(
            Draft draft,
            int prefix,
            double weight,
            TargetDistributions target,
            Randomness randomness) {
        var left = Residual.at(target, prefix);
        left.subtract(weight, q(draft, prefix));
        return verdict(prefix, left.draw(randomness, Randomness.Role.RESIDUAL), false);
    }

    private static Verdict verdict(int accepted, int next, boolean whole) {
        return new Verdict(
                IntStream.rangeClosed(1, accepted).boxed().toList(),
                next,
                whole ? Origin.BONUS : Origin.CORRECTION);
    }
}
