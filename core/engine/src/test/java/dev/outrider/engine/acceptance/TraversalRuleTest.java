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

/// One guess of token 1 from q = (.2, .5, .3) under p = (.5, .3, .2): it is kept with probability .6.
class TraversalRuleTest {
    private static final double[] P = {.5, .3, .2};
    private static final double[] Q = {.2, .5, .3};

    @Test
    void aBonusFollowsAFullyAcceptedDraft() {
        var randomness = new ScriptedRandomness(.59, .6);

        assertThat(decide(Q, randomness)).isEqualTo(new Verdict(List.of(1), 1, Origin.BONUS));
        assertThat(randomness.asked.getLast()).isEqualTo("draw BONUS 1");
    }

    @Test
    void aCorrectionFollowsARejection() {
        var randomness = new ScriptedRandomness(.61, .5, .5);

        assertThat(decide(Q, randomness)).isEqualTo(new Verdict(List.of(), 0, Origin.CORRECTION));
        assertThat(randomness.asked.getLast()).isEqualTo("draw RESIDUAL 0");
    }

    @Test
    void aDrawnTokenWithProbabilityZeroIsRejected() {
        var randomness = new ScriptedRandomness(.5, .5);

        assertThat(decide(new double[] {.5, 0, .5}, randomness))
                .isEqualTo(new Verdict(List.of(), 1, Origin.CORRECTION));
    }

    private static Verdict decide(double[] q, ScriptedRandomness randomness) {
        var distributions = DraftDistributions.builder().put(0, q).build();
        var draft = new Draft(TokenTree.chain(9, 1), new Selection.Independent(distributions));
        return new TraversalRule().decide(draft, new GivenDistributions(P, P), randomness);
    }
}
