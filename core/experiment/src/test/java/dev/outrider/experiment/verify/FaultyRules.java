package dev.outrider.experiment.verify;

import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.Arrays;

/// Faults of released engines.
final class FaultyRules {
    private FaultyRules() {}

    /// The token after a whole draft is drawn as if the temperature were 0.5.
    static AcceptanceRule untemperedBonus() {
        return redrawing(Origin.BONUS, p -> Arrays.stream(p).map(mass -> mass * mass).toArray());
    }

    /// The token after a rejection is drawn from p without a subtraction.
    static AcceptanceRule wholeDistributionCorrection() {
        return redrawing(Origin.CORRECTION, p -> p);
    }

    private interface Distribution {
        double[] of(double[] p);
    }

    private static AcceptanceRule redrawing(Origin origin, Distribution distribution) {
        var honest = new TokenRejectionRule();
        return new AcceptanceRule() {
            @Override
            public RuleTraits traits() {
                return honest.traits();
            }

            @Override
            public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
                var verdict = honest.decide(draft, target, randomness);
                if (verdict.origin() != origin) {
                    return verdict;
                }
                int node = verdict.lastNode();
                int token =
                        randomness.draw(
                                Randomness.Role.BONUS,
                                node,
                                distribution.of(target.distribution(node)));
                return new Verdict(verdict.acceptedNodes(), token, origin);
            }
        };
    }
}
