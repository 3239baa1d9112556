package dev.outrider.engine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Rejection sampling among siblings, with and without replacement, for p = (.5, .25, .25) and q = (.25, .5, .25).
class SiblingRulesTest {
    private static final double[] P = {.5, .25, .25};
    private static final double[] Q = {.25, .5, .25};
    private static final DraftDistributions DRAWN = DraftDistributions.builder().put(0, Q).build();

    /// The residual of p after q is (1, 0, 0); a second draw from the same q can propose token 0.
    @Test
    void aSecondChildIsJudgedByTheResidualOfTheFirst() {
        var randomness = new ScriptedRandomness(.5, .9, .1);

        assertThat(
                        new MultiStepRule()
                                .decide(
                                        pair(1, 0, new Selection.Independent(DRAWN)),
                                        new GivenDistributions(P, P, P),
                                        randomness))
                .isEqualTo(new Verdict(List.of(2), 0, Origin.BONUS));
        assertThat(randomness.asked)
                .containsExactly("accept 1 0.25/0.5", "accept 2 1.0/0.25", "draw BONUS 2");
    }

    /// Without token 1, q is (.5, 0, .5).
    @Test
    void withoutReplacementTheSecondChildIsDrawnFromTheRest() {
        var randomness = new ScriptedRandomness(.5, .9, .1);

        new WithoutReplacementRule()
                .decide(
                        pair(1, 0, new Selection.WithoutReplacement(DRAWN)),
                        new GivenDistributions(P, P, P),
                        randomness);
        assertThat(randomness.asked)
                .containsExactly("accept 1 0.25/0.5", "accept 2 1.0/0.5", "draw BONUS 2");
    }

    /// A drawn token with probability 0, which only rounding can produce.
    @Test
    void aDrawnTokenWithProbabilityZeroIsRejected() {
        var without = DraftDistributions.builder().put(0, new double[] {.5, 0, .5}).build();
        var randomness = new ScriptedRandomness(.999);

        assertThat(
                        new MultiStepRule()
                                .decide(
                                        pair(1, 1, new Selection.Independent(without)),
                                        new GivenDistributions(P, P, P),
                                        randomness))
                .isEqualTo(new Verdict(List.of(), 1, Origin.CORRECTION));
        assertThat(randomness.asked).containsExactly("draw RESIDUAL 0");
    }

    private static Draft pair(int first, int second, Selection selection) {
        var tree = TokenTree.builder(9);
        tree.add(0, first);
        tree.add(0, second);
        return new Draft(tree.build(), selection);
    }
}
