package dev.outrider.engine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.tree.TokenTree;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// The factors of docs/reference/algorithms.md A3.6 for p = (.5, .3, .2) and q = (.2, .5, .3).
class KSequentialRuleTest {
    private static final double[] P = {.5, .3, .2};
    private static final double[] Q = {.2, .5, .3};

    @Test
    void theBestFactorEqualsTheWorkedExample() {
        assertThat(factor(1)).isEqualTo(1);
        assertThat(factor(2)).isCloseTo(1.456776, within(5e-7));
        assertThat(factor(3)).isCloseTo(1.792593, within(5e-7));
    }

    /// p = (1, 0), q = (.5, .5), k = 2: beta is .5 for every rho, so rho = .75 / .5, the first
    /// value that the search tries.
    @Test
    void aFactorThatIsHitExactlyIsTaken() {
        var tree = TokenTree.builder(9);
        tree.add(0, 0);
        tree.add(0, 0);
        var distributions = DraftDistributions.builder().put(0, new double[] {.5, .5}).build();
        var draft = new Draft(tree.build(), new Selection.Independent(distributions));
        double[] p = {1, 0};
        var randomness = new ScriptedRandomness(.999, .5);
        new KSequentialRule().decide(draft, new GivenDistributions(p, p, p), randomness);

        assertThat(1 / (randomness.chances.getFirst() * .5)).isEqualTo(1.5);
    }

    /// After a rejection of all k: `p - min(q, p / rho) (1 - (1 - beta)^k) / beta`.
    @Test
    void theResidualFollowsTheFormula() {
        var tree = TokenTree.builder(9);
        tree.add(0, 1);
        tree.add(0, 1);
        var distributions = DraftDistributions.builder().put(0, Q).build();
        var draft = new Draft(tree.build(), new Selection.Independent(distributions));
        var randomness = new ScriptedRandomness(.99, .99, .5);
        new KSequentialRule().decide(draft, new GivenDistributions(P, P, P), randomness);

        double rho = P[1] / (randomness.chances.getFirst() * Q[1]);
        double beta = 0;
        for (int token = 0; token < P.length; token++) {
            beta += Math.min(Q[token], P[token] / rho);
        }
        double share = (1 - Math.pow(1 - beta, 2)) / beta;
        for (int token = 0; token < P.length; token++) {
            double left = Math.max(P[token] - Math.min(Q[token], P[token] / rho) * share, 0);
            assertThat(randomness.distributions.getFirst()[token]).isCloseTo(left, within(1e-12));
        }
    }

    /// A drawn token with probability 0, which only rounding can produce.
    @Test
    void aDrawnTokenWithProbabilityZeroIsRejected() {
        var distributions = DraftDistributions.builder().put(0, new double[] {.5, 0, .5}).build();
        var draft = new Draft(TokenTree.chain(9, 1), new Selection.Independent(distributions));
        var randomness = new ScriptedRandomness(.5);

        assertThat(
                        new KSequentialRule()
                                .decide(draft, new GivenDistributions(P, P), randomness)
                                .acceptedNodes())
                .isEmpty();
        assertThat(randomness.asked).containsExactly("draw RESIDUAL 0");
    }

    /// Returns rho, from the test `p(c) / (rho q(c))` of the first of k equal children.
    private static double factor(int children) {
        var tree = TokenTree.builder(9);
        for (int child = 0; child < children; child++) {
            tree.add(0, 1);
        }
        var distributions = DraftDistributions.builder().put(0, Q).build();
        var draft = new Draft(tree.build(), new Selection.Independent(distributions));
        var rows = new double[children + 1][];
        Arrays.fill(rows, P);
        var randomness = new ScriptedRandomness(0, .5);
        new KSequentialRule().decide(draft, new GivenDistributions(rows), randomness);
        return P[1] / (randomness.chances.getFirst() * Q[1]);
    }
}
