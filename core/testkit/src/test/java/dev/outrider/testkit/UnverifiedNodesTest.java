package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// Detects a rule that ignores the marks.
class UnverifiedNodesTest {
    @Test
    void aRuleThatAcceptsAnUnverifiedNodeFailsTheRuleSuite() {
        var suite =
                new AcceptanceRuleConformance() {
                    @Override
                    protected AcceptanceRule rule() {
                        return new Careless();
                    }
                };

        assertThatThrownBy(suite::unverifiedNodesAreNeverAcceptedAndChangeNothing)
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("which is unverified");
    }

    /// Sample and match over all children. It draws from the target's distribution, so only the
    /// marks show the fault.
    private static final class Careless implements AcceptanceRule {
        @Override
        public RuleTraits traits() {
            return new SampleAndMatchRule().traits();
        }

        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            var tree = draft.tree();
            var accepted = new ArrayList<Integer>();
            int node = 0;
            while (true) {
                int token =
                        randomness.draw(Randomness.Role.RESIDUAL, node, target.distribution(node));
                int next = -1;
                for (int index = 0; index < tree.childCount(node); index++) {
                    int child = tree.child(node, index);
                    next = tree.token(child) == token ? child : next;
                }
                if (next < 0) {
                    return new Verdict(accepted, token, Origin.CORRECTION);
                }
                accepted.add(next);
                node = next;
            }
        }
    }
}
