package dev.outrider.engine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeRulesTest {
    private static final double[] AFTER_ROOT = {.1, .6, .3};
    private static final double[] LIKES_TWO = {.2, .2, .6};
    private static final double[] LIKES_ZERO = {.8, .1, .1};

    /// Root; children 1 and 2; token 1 has child 2; token 2 has an unverified child 0.
    private static Draft bushy() {
        var builder = TokenTree.builder(0);
        int one = builder.add(0, 1);
        int two = builder.add(0, 2);
        builder.add(one, 2);
        builder.addUnverified(two, 0);
        return new Draft(builder.build(), new Selection.PointMass());
    }

    private static GivenDistributions target(double[] afterOne) {
        return new GivenDistributions(AFTER_ROOT, afterOne, LIKES_ZERO, LIKES_ZERO, LIKES_ZERO);
    }

    @Test
    void greedyKeepsTheLongestPathOfTheTargetsModes() {
        var verdict = new GreedyRule().decide(bushy(), target(LIKES_TWO), new ScriptedRandomness());

        assertThat(verdict).isEqualTo(new Verdict(List.of(1, 3), 0, Origin.BONUS));
    }

    @Test
    void greedyCorrectsWhereNoChildIsTheMode() {
        var verdict =
                new GreedyRule().decide(bushy(), target(LIKES_ZERO), new ScriptedRandomness());

        assertThat(verdict).isEqualTo(new Verdict(List.of(1), 0, Origin.CORRECTION));
    }

    @Test
    void sampleAndMatchDescendsToTheChildThatEqualsTheTargetsDraw() {
        var randomness = new ScriptedRandomness(.2, .95, .85);
        var verdict = new SampleAndMatchRule().decide(bushy(), target(LIKES_TWO), randomness);

        assertThat(verdict).isEqualTo(new Verdict(List.of(1, 3), 1, Origin.BONUS));
        assertThat(randomness.asked)
                .containsExactly("draw RESIDUAL 0", "draw RESIDUAL 1", "draw BONUS 3");
    }

    @Test
    void sampleAndMatchEmitsADrawThatNoChildHas() {
        var verdict =
                new SampleAndMatchRule()
                        .decide(bushy(), target(LIKES_TWO), new ScriptedRandomness(.05));

        assertThat(verdict).isEqualTo(new Verdict(List.of(), 0, Origin.CORRECTION));
    }

    @Test
    void unverifiedNodesAreNeverAccepted() {
        var verdict =
                new SampleAndMatchRule()
                        .decide(bushy(), target(LIKES_TWO), new ScriptedRandomness(.9, .1));

        assertThat(verdict).isEqualTo(new Verdict(List.of(2), 0, Origin.BONUS));
    }
}
