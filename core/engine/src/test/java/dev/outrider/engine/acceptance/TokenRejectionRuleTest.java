package dev.outrider.engine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.Selection;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.Verdict;
import dev.outrider.spi.Verdict.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenRejectionRuleTest {
    private static final double[] P = {.5, .25, .25};
    private static final double[] Q = {.25, .5, .25};
    private static final GivenLaws TARGET = new GivenLaws(P, P, P);
    private final TokenRejectionRule rule = new TokenRejectionRule();

    @Test
    void acceptsWhileTheUniformIsBelowTheRatioAndAddsABonus() {
        var coins = new ScriptedCoins(.9, .49, .6);

        assertThat(rule.decide(drawn(0, 1), TARGET, coins))
                .isEqualTo(new Verdict(List.of(1, 2), 1, Origin.BONUS));
        assertThat(coins.asked)
                .containsExactly("accept 1 0.5/0.25", "accept 2 0.25/0.5", "draw BONUS 2");
    }

    @Test
    void theFirstRejectionEndsTheRoundWithADrawFromTheResidual() {
        var coins = new ScriptedCoins(.5, .99);

        assertThat(rule.decide(drawn(1, 0), TARGET, coins))
                .isEqualTo(new Verdict(List.of(), 0, Origin.CORRECTION));
        assertThat(coins.laws.getFirst()).containsExactly(1, 0, 0);
        assertThat(coins.asked).containsExactly("accept 1 0.25/0.5", "draw RESIDUAL 0");
    }

    @Test
    void aGuessWithoutALawIsAcceptedWithTheTargetsProbability() {
        var coins = new ScriptedCoins(.25, .5);
        var draft = new Draft(TokenTree.chain(9, 1), new Selection.PointMass());

        assertThat(rule.decide(draft, TARGET, coins))
                .isEqualTo(new Verdict(List.of(), 0, Origin.CORRECTION));
        assertThat(coins.laws.getFirst()).containsExactly(.5, 0, .25);
        assertThat(coins.asked).containsExactly("accept 1 0.25/1.0", "draw RESIDUAL 0");
    }

    @Test
    void aDrawnTokenOfDraftProbabilityZeroIsRejected() {
        var laws = DraftLaws.builder().put(0, new double[] {0, .5, .5}).build();
        var draft = new Draft(TokenTree.chain(9, 0), new Selection.Independent(laws));
        var coins = new ScriptedCoins(.5);

        assertThat(rule.decide(draft, TARGET, coins).acceptedNodes()).isEmpty();
        assertThat(coins.asked).containsExactly("draw RESIDUAL 0");
    }

    @Test
    void whereRoundingLeavesNoResidualTheTargetsLawIsUsed() {
        var laws = DraftLaws.builder().put(0, P).build();
        var draft = new Draft(TokenTree.chain(9, 0), new Selection.Independent(laws));
        var coins = new ScriptedCoins(1, .6);

        assertThat(rule.decide(draft, TARGET, coins))
                .isEqualTo(new Verdict(List.of(), 1, Origin.CORRECTION));
        assertThat(coins.laws.getFirst()).containsExactly(P);
    }

    @Test
    void anEmptyDraftIsPlainSampling() {
        var coins = new ScriptedCoins(.9);

        assertThat(rule.decide(Draft.empty(9), TARGET, coins))
                .isEqualTo(new Verdict(List.of(), 2, Origin.BONUS));
    }

    private static Draft drawn(int... tokens) {
        var laws = DraftLaws.builder();
        for (int node = 0; node < tokens.length; node++) {
            laws.put(node, Q);
        }
        return new Draft(TokenTree.chain(9, tokens), new Selection.Independent(laws.build()));
    }
}
