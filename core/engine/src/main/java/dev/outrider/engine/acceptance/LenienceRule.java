package dev.outrider.engine.acceptance;

import dev.outrider.common.Require;
import dev.outrider.engine.random.ForwardingRandomness;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;

/// Lenience: token-level rejection that multiplies q by a factor l below 1 before it compares it with p, so
/// that x is accepted with probability `min(1, p(x) / (l q(x)))`. **Lossy**, but no token becomes more than
/// `1 / l` times as probable as the target has it.
///
/// @param factor l, in (0, 1)
/// @see "Leviathan et al. 2023, appendix A.5"
@Doc("Token-level rejection with q multiplied by a factor below 1; lossy.")
public record LenienceRule(
        @Doc(
                        "Factor of q, in (0, 1); no token becomes more than 1 / factor times as probable as it should be.")
                double factor)
        implements AcceptanceRule {
    static final String NAME = "lenience";

    private static final RuleTraits TRAITS =
            RuleTraits.lossy(
                    NAME,
                    Selection.Kind.any(),
                    TreeShape.CHAIN,
                    "Leviathan et al. 2023, appendix A.5");
    private static final TokenRejectionRule TOKEN_RULE = new TokenRejectionRule();

    public LenienceRule {
        Require.that(
                factor > 0 && factor < 1,
                "'factor' must be between 0 and 1, got %s; rule 'token' is factor 1",
                factor);
    }

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        return TOKEN_RULE.decide(draft, target, new LenientRandomness(randomness, factor));
    }

    /// Randomness that compares with `l q` in place of q.
    private record LenientRandomness(Randomness randomness, double factor)
            implements ForwardingRandomness {
        @Override
        public boolean accept(int node, double numerator, double denominator) {
            return randomness.accept(node, numerator, factor * denominator);
        }
    }
}
