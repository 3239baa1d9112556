package dev.outrider.engine.acceptance;

import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.RuleTraits;
import dev.outrider.spi.Selection.Independent;
import dev.outrider.spi.Selection.PointMass;
import dev.outrider.spi.Selection.WithoutReplacement;
import dev.outrider.spi.SelectionKind;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.TargetLaws;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.TreeShape;
import dev.outrider.spi.Verdict;
import dev.outrider.spi.Verdict.Origin;
import java.util.EnumSet;
import java.util.stream.IntStream;

/// Block verification: judges a chain as a whole. With `P_0 = 1` and
/// `P_i = min(P_{i-1} p(x_i) / q(x_i), 1)`, the prefix of length i passes its own coin with probability
///
/// - `h_i = Z_i / (Z_i + 1 - P_i)` for i < g, where `Z_i = sum_x max(P_i p(x) - q(x), 0)` after that prefix,
/// - `h_g = P_g`,
///
/// and the longest prefix that passes is kept. It accepts at least as much as token-level rejection in
/// expectation, and more from two tokens on. Stopping at the first failed coin would be wrong: every prefix
/// has one, so the scan goes from the longest down.
///
/// A draft without laws has one-hot q, for which nothing is gained; the token rule judges it.
///
/// @see "Sun et al. 2024: Block verification accelerates speculative decoding, algorithm 2"
public final class BlockVerificationRule implements AcceptanceRule {
    private static final RuleTraits TRAITS =
            new RuleTraits(
                    "block",
                    true,
                    false,
                    EnumSet.allOf(SelectionKind.class),
                    TreeShape.CHAIN,
                    "Sun et al. 2024, algorithm 2");

    private final TokenRejectionRule tokenRule = new TokenRejectionRule();

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetLaws target, Coins coins) {
        return switch (draft.selection()) {
            case PointMass() -> tokenRule.decide(draft, target, coins);
            case Independent(var laws) -> decide(draft.tree(), laws, target, coins);
            case WithoutReplacement(var laws) -> decide(draft.tree(), laws, target, coins);
        };
    }

    private static Verdict decide(
            TokenTree chain, DraftLaws drafts, TargetLaws target, Coins coins) {
        int length = chain.draftedNodes();
        double[] weights = prefixWeights(chain, drafts, target);
        if (length > 0 && coins.accept(length, weights[length], 1)) {
            return verdict(length, coins.draw(StreamRole.BONUS, length, target.law(length)), true);
        }
        for (int prefix = length - 1; prefix > 0; prefix--) {
            double weight = weights[prefix];
            double[] p = target.law(prefix);
            double[] q = drafts.row(prefix);
            double rest = Residual.mass(weight, p, q);
            double failure = 1 - weight;
            // 0/0 counts as 1: p and q agree, and the prefix is certain to be kept.
            if (rest + failure <= 0 || coins.accept(prefix, rest, rest + failure)) {
                return corrected(prefix, weight, p, q, coins);
            }
        }
        return length == 0
                ? verdict(0, coins.draw(StreamRole.BONUS, 0, target.law(0)), true)
                : corrected(0, 1, target.law(0), drafts.row(0), coins);
    }

    /// P_0 to P_g.
    private static double[] prefixWeights(TokenTree chain, DraftLaws drafts, TargetLaws target) {
        var weights = new double[chain.size()];
        weights[0] = 1;
        for (int node = 1; node < weights.length; node++) {
            int token = chain.token(node);
            double q = drafts.row(node - 1)[token];
            double p = target.law(node - 1)[token];
            weights[node] = q > 0 ? Math.min(weights[node - 1] * p / q, 1) : 0;
        }
        return weights;
    }

    private static Verdict corrected(
            int prefix, double weight, double[] p, double[] q, Coins coins) {
        var residual = Residual.of(weight, p, q);
        return verdict(prefix, coins.draw(StreamRole.RESIDUAL, prefix, residual), false);
    }

    private static Verdict verdict(int accepted, int next, boolean whole) {
        return new Verdict(
                IntStream.rangeClosed(1, accepted).boxed().toList(),
                next,
                whole ? Origin.BONUS : Origin.CORRECTION);
    }
}
