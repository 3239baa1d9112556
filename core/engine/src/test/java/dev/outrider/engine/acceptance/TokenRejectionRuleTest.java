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

class TokenRejectionRuleTest {
    private static final double[] P = {.5, .25, .25};
    private static final double[] Q = {.25, .5, .25};
    private static final GivenDistributions TARGET = new GivenDistributions(P, P, P);
    private final TokenRejectionRule rule = new TokenRejectionRule();

    @Test
    void acceptsWhileTheUniformIsBelowTheRatioAndAddsABonus() {
        var randomness = new ScriptedRandomness(.9, .49, .6);

        assertThat(rule.decide(drawn(0, 1), TARGET, randomness))
                .isEqualTo(new Verdict(List.of(1, 2), 1, Origin.BONUS));
        assertThat(randomness.asked)
                .containsExactly("accept 1 0.5/0.25", "accept 2 0.25/0.5", "draw BONUS 2");
    }

    /// With one child per node, drawing without replacement changes nothing.
    @Test
    void chainsDrawnWithoutReplacementAreJudgedAsDrawn() {
        var distributions = DraftDistributions.builder().put(0, Q).build();
        var draft =
                new Draft(TokenTree.chain(9, 1), new Selection.WithoutReplacement(distributions));
        var randomness = new ScriptedRandomness(.49, .6);

        assertThat(rule.decide(draft, TARGET, randomness))
                .isEqualTo(new Verdict(List.of(1), 1, Origin.BONUS));
        assertThat(randomness.asked).containsExactly("accept 1 0.25/0.5", "draw BONUS 1");
    }

    @Test
    void theFirstRejectionEndsTheRoundWithADrawFromTheResidual() {
        var randomness = new ScriptedRandomness(.5, .99);

        assertThat(rule.decide(drawn(1, 0), TARGET, randomness))
                .isEqualTo(new Verdict(List.of(), 0, Origin.CORRECTION));
        assertThat(randomness.distributions.getFirst()).containsExactly(1, 0, 0);
        assertThat(randomness.asked).containsExactly("accept 1 0.25/0.5", "draw RESIDUAL 0");
    }

    @Test
    void aGuessWithoutADistributionIsAcceptedWithTheTargetsProbability() {
        var randomness = new ScriptedRandomness(.25, .5);
        var draft = new Draft(TokenTree.chain(9, 1), new Selection.PointMass());

        assertThat(rule.decide(draft, TARGET, randomness))
                .isEqualTo(new Verdict(List.of(), 0, Origin.CORRECTION));
        assertThat(randomness.distributions.getFirst()).containsExactly(.5, 0, .25);
        assertThat(randomness.asked).containsExactly("accept 1 0.25/1.0", "draw RESIDUAL 0");
    }

    @Test
    void aDrawnTokenOfDraftProbabilityZeroIsRejected() {
        var distributions = DraftDistributions.builder().put(0, new double[] {0, .5, .5}).build();
        var draft = new Draft(TokenTree.chain(9, 0), new Selection.Independent(distributions));
        var randomness = new ScriptedRandomness(.5);

        assertThat(rule.decide(draft, TARGET, randomness).acceptedNodes()).isEmpty();
        assertThat(randomness.asked).containsExactly("draw RESIDUAL 0");
    }

    @Test
    void whereRoundingLeavesNoResidualTheTargetsDistributionIsUsed() {
        var distributions = DraftDistributions.builder().put(0, P).build();
        var draft = new Draft(TokenTree.chain(9, 0), new Selection.Independent(distributions));
        var randomness = new ScriptedRandomness(1, .6);

        assertThat(rule.decide(draft, TARGET, randomness))
                .isEqualTo(new Verdict(List.of(), 1, Origin.CORRECTION));
        assertThat(randomness.distributions.getFirst()).containsExactly(P);
    }

    @Test
    void anEmptyDraftIsPlainSampling() {
        var randomness = new ScriptedRandomness(.9);

        assertThat(rule.decide(Draft.empty(9), TARGET, randomness))
                .isEqualTo(new Verdict(List.of(), 2, Origin.BONUS));
    }

    private static Draft drawn(int... tokens) {
        var distributions = DraftDistributions.builder();
        for (int node = 0; node < tokens.length; node++) {
            distributions.put(node, Q);
        }
        return new Draft(
                TokenTree.chain(9, tokens), new Selection.Independent(distributions.build()));
    }
}
