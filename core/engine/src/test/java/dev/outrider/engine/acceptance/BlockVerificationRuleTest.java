package dev.outrider.engine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The worked example of docs/reference/algorithms.md A2: p = (.5, .3, .2), q = (.2, .5, .3), and the draft (1, 0). Then P = (.6, 1),
/// Z_1 = .1, h_1 = .2, and the residual after the first token is (1, 0, 0).
class BlockVerificationRuleTest {
    private static final double[] P = {.5, .3, .2};
    private static final double[] Q = {.2, .5, .3};

    @Test
    void aPrefixIsKeptWithTheProbabilityOfTheWorkedExample() {
        var randomness = new ScriptedRandomness(1, .5, .3, .9);

        assertThat(decide(randomness)).isEqualTo(new Verdict(List.of(1), 0, Origin.CORRECTION));
        double whole = randomness.chances.get(0);
        double weight = randomness.chances.get(1);
        double h = weight * randomness.chances.get(2);
        assertThat(randomness.chances).hasSize(3);
        assertThat(whole).isEqualTo(1);
        assertThat(weight).isCloseTo(.6, within(1e-15));
        assertThat(h).isCloseTo(.2, within(1e-15));
        assertThat(randomness.distributions.getFirst()).containsExactly(1, 0, 0);
        assertThat(randomness.asked.getLast()).isEqualTo("draw RESIDUAL 1");
    }

    @Test
    void anotherPrefixIsTriedAfterAFailedTest() {
        var randomness = new ScriptedRandomness(1, .7, .5);

        assertThat(decide(randomness)).isEqualTo(new Verdict(List.of(), 0, Origin.CORRECTION));
        assertThat(randomness.asked.getLast()).isEqualTo("draw RESIDUAL 0");
    }

    @Test
    void theWholeDraftIsKeptWithThePathsWeight() {
        var randomness = new ScriptedRandomness(.999, .9);

        assertThat(decide(randomness)).isEqualTo(new Verdict(List.of(1, 2), 2, Origin.BONUS));
    }

    /// With one child per node, drawing without replacement changes nothing.
    @Test
    void chainsDrawnWithoutReplacementAreJudgedAsDrawn() {
        var distributions = DraftDistributions.builder().put(0, Q).put(1, Q).build();
        var draft =
                new Draft(
                        TokenTree.chain(9, 1, 0), new Selection.WithoutReplacement(distributions));
        var drawn = new ScriptedRandomness(1, .5, .3, .9);
        var distinct = new ScriptedRandomness(1, .5, .3, .9);

        assertThat(
                        new BlockVerificationRule()
                                .decide(draft, new GivenDistributions(P, P, P), distinct))
                .isEqualTo(decide(drawn));
        assertThat(distinct.asked).isEqualTo(drawn.asked);
    }

    /// A drawn token with probability 0, which only rounding can produce, is not kept, and nothing
    /// after it.
    @Test
    void aDrawnTokenWithProbabilityZeroEndsThePrefix() {
        double[] without = {.5, 0, .5};
        var distributions = DraftDistributions.builder().put(0, without).put(1, Q).build();
        var draft = new Draft(TokenTree.chain(9, 1, 0), new Selection.Independent(distributions));
        var randomness = new ScriptedRandomness(0, .5);

        assertThat(
                        new BlockVerificationRule()
                                .decide(draft, new GivenDistributions(P, P, P), randomness))
                .isEqualTo(new Verdict(List.of(), 1, Origin.CORRECTION));
        assertThat(randomness.distributions.getFirst()).containsExactly(0, 1, 0);
    }

    /// At weight 1 the residual is empty (0/0): a token that is certainly kept needs no random
    /// number.
    @Test
    void aPrefixAfterWhichTargetAndDrafterAgreeIsKept() {
        double[] same = {.5, 0, .5};
        var distributions = DraftDistributions.builder().put(0, P).put(1, same).build();
        var draft = new Draft(TokenTree.chain(9, 0, 1), new Selection.Independent(distributions));
        var randomness = new ScriptedRandomness(0, .999, .6);

        assertThat(
                        new BlockVerificationRule()
                                .decide(draft, new GivenDistributions(P, same, P), randomness))
                .isEqualTo(new Verdict(List.of(1), 2, Origin.CORRECTION));
    }

    private static Verdict decide(ScriptedRandomness randomness) {
        var distributions = DraftDistributions.builder().put(0, Q).put(1, Q).build();
        var draft = new Draft(TokenTree.chain(9, 1, 0), new Selection.Independent(distributions));
        return new BlockVerificationRule()
                .decide(draft, new GivenDistributions(P, P, P), randomness);
    }
}
