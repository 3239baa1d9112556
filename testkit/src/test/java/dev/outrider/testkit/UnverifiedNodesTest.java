package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.OneHotRule;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.RuleTraits;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.TargetLaws;
import dev.outrider.spi.Verdict;
import dev.outrider.spi.Verdict.Origin;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// A rule that does not look at the marks is found out.
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

    /// The one-hot rule over all children. It draws from the target's law, so that only the marks give it away.
    private static final class Careless implements AcceptanceRule {
        @Override
        public RuleTraits traits() {
            return new OneHotRule().traits();
        }

        @Override
        public Verdict decide(Draft draft, TargetLaws target, Coins coins) {
            var tree = draft.tree();
            var accepted = new ArrayList<Integer>();
            int node = 0;
            while (true) {
                int token = coins.draw(StreamRole.RESIDUAL, node, target.law(node));
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
