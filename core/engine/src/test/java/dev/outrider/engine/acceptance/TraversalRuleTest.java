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

/// One guess of token 1 from q = (.2, .5, .3) under p = (.5, .3, .2): it is kept with probability .6.
class TraversalRuleTest {
    private static final double[] P = {.5, .3, .2};
    private static final double[] Q = {.2, .5, .3};

    @Test
    void whatFollowsAWholeDraftIsABonus() {
        var coins = new ScriptedCoins(.59, .6);

        assertThat(decide(Q, coins)).isEqualTo(new Verdict(List.of(1), 1, Origin.BONUS));
        assertThat(coins.asked.getLast()).isEqualTo("draw BONUS 1");
    }

    @Test
    void whatFollowsARejectionIsACorrection() {
        var coins = new ScriptedCoins(.61, .5, .5);

        assertThat(decide(Q, coins)).isEqualTo(new Verdict(List.of(), 0, Origin.CORRECTION));
        assertThat(coins.asked.getLast()).isEqualTo("draw RESIDUAL 0");
    }

    @Test
    void aGuessItsOwnLawDoesNotHaveIsNotKept() {
        var coins = new ScriptedCoins(.5, .5);

        assertThat(decide(new double[] {.5, 0, .5}, coins))
                .isEqualTo(new Verdict(List.of(), 1, Origin.CORRECTION));
    }

    private static Verdict decide(double[] q, ScriptedCoins coins) {
        var laws = DraftLaws.builder().put(0, q).build();
        var draft = new Draft(TokenTree.chain(9, 1), new Selection.Independent(laws));
        return new TraversalRule().decide(draft, new GivenLaws(P, P), coins);
    }
}
