package dev.outrider.engine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.Selection;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.Verdict;
import dev.outrider.spi.Verdict.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The worked example of docs/algorithms.md A2: p = (.5, .3, .2), q = (.2, .5, .3), and the draft (1, 0). Then P = (.6, 1),
/// Z_1 = .1, h_1 = .2, and the residual after the first token is (1, 0, 0).
class BlockVerificationRuleTest {
    private static final double[] P = {.5, .3, .2};
    private static final double[] Q = {.2, .5, .3};

    @Test
    void aPrefixIsKeptWithTheWorkedProbability() {
        var coins = new ScriptedCoins(1, .5, .3, .9);

        assertThat(decide(coins)).isEqualTo(new Verdict(List.of(1), 0, Origin.CORRECTION));
        double whole = coins.chances.get(0);
        double weight = coins.chances.get(1);
        double h = weight * coins.chances.get(2);
        assertThat(coins.chances).hasSize(3);
        assertThat(whole).isEqualTo(1);
        assertThat(weight).isCloseTo(.6, within(1e-15));
        assertThat(h).isCloseTo(.2, within(1e-15));
        assertThat(coins.laws.getFirst()).containsExactly(1, 0, 0);
        assertThat(coins.asked.getLast()).isEqualTo("draw RESIDUAL 1");
    }

    @Test
    void anotherPrefixIsTriedAfterAFailedCoin() {
        var coins = new ScriptedCoins(1, .7, .5);

        assertThat(decide(coins)).isEqualTo(new Verdict(List.of(), 0, Origin.CORRECTION));
        assertThat(coins.asked.getLast()).isEqualTo("draw RESIDUAL 0");
    }

    @Test
    void theWholeDraftIsKeptWithThePathsWeight() {
        var coins = new ScriptedCoins(.999, .9);

        assertThat(decide(coins)).isEqualTo(new Verdict(List.of(1, 2), 2, Origin.BONUS));
    }

    /// A drawn token that its law does not have, which only rounding can produce, is not kept, and nothing after it.
    @Test
    void aGuessItsOwnLawDoesNotHaveEndsThePrefix() {
        double[] without = {.5, 0, .5};
        var laws = DraftLaws.builder().put(0, without).put(1, Q).build();
        var draft = new Draft(TokenTree.chain(9, 1, 0), new Selection.Independent(laws));
        var coins = new ScriptedCoins(0, .5);

        assertThat(new BlockVerificationRule().decide(draft, new GivenLaws(P, P, P), coins))
                .isEqualTo(new Verdict(List.of(), 1, Origin.CORRECTION));
        assertThat(coins.laws.getFirst()).containsExactly(0, 1, 0);
    }

    private static Verdict decide(ScriptedCoins coins) {
        var laws = DraftLaws.builder().put(0, Q).put(1, Q).build();
        var draft = new Draft(TokenTree.chain(9, 1, 0), new Selection.Independent(laws));
        return new BlockVerificationRule().decide(draft, new GivenLaws(P, P, P), coins);
    }
}
