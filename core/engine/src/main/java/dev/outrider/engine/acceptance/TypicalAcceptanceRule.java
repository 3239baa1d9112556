package dev.outrider.engine.acceptance;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;

/// Typical acceptance: a guess is good enough when the target gives it more than
/// `min(epsilon, delta exp(-H))`, where H is the entropy of the target's distribution, and the longest path of such
/// guesses is kept. **Lossy**: a guess above the threshold is kept every time, not with its probability. At
/// temperature 0 it comes to greedy acceptance.
///
/// The token after the path is drawn from the target's distribution; the authors' code takes the argmax in its fast mode.
///
/// @param epsilon hard threshold
/// @param delta   share of `exp(-H)`; the paper couples it as `sqrt(epsilon)`
/// @see "Cai et al. 2024 (Medusa), section 3.3"
@Doc("Keeps the longest path of tokens that the target finds likely enough; lossy.")
public record TypicalAcceptanceRule(
        @Default("0.09") @Doc("Probability from which a token is always kept, in (0, 1].")
                double epsilon,
        @Default("0.3") @Doc("Share of exp(-entropy) from which a token is kept, in (0, 1].")
                double delta)
        implements AcceptanceRule {
    static final String NAME = "typical";

    /// Keeps the entropy finite if a token is impossible, as in the authors' code.
    private static final double SMALL = 1e-5;

    private static final RuleTraits TRAITS =
            RuleTraits.lossy(
                    NAME,
                    Selection.Kind.any(),
                    TreeShape.TREE,
                    "Cai et al. 2024 (Medusa), section 3.3");

    public TypicalAcceptanceRule {
        require("epsilon", epsilon);
        require("delta", delta);
    }

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        return LongestPath.decide(
                draft,
                target,
                randomness,
                (distribution, support) -> {
                    double threshold = threshold(distribution, support);
                    return token -> distribution[token] > threshold;
                });
    }

    /// `min(epsilon, delta exp(-H))`.
    double threshold(double[] distribution, Support support) {
        double entropy = 0;
        for (int index = 0; index < support.size(); index++) {
            double probability = distribution[support.token(index)];
            entropy -= probability * Math.log(probability + SMALL);
        }
        return Math.min(epsilon, delta * Math.exp(-entropy));
    }

    private static void require(String name, double value) {
        Require.that(value > 0 && value <= 1, "'%s' must be in (0, 1], got %s", name, value);
    }
}
