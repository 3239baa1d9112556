package dev.outrider.engine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.tree.TokenTree;
import org.junit.jupiter.api.Test;

/// The distribution of the next sibling if almost no probability, or none, is left.
class SiblingDistributionTest {
    @Test
    void theRestIsSummedWhereSubtractionWouldLosePrecision() {
        var distribution = distribution(1, 1e-20, 3e-20);
        distribution.drawn(0);

        assertThat(distribution.of(1)).isCloseTo(.25, within(1e-15));
        assertThat(distribution.of(2)).isCloseTo(.75, within(1e-15));
    }

    @Test
    void siblingsMayComeInAnyOrder() {
        var distribution = distribution(.1, .2, .7);
        distribution.drawn(2);
        assertThat(distribution.of(0)).isCloseTo(1. / 3, within(1e-15));
        distribution.drawn(1);

        assertThat(distribution.of(0)).isEqualTo(1);
        assertThat(distribution.of(1)).isZero();
        assertThat(distribution.of(2)).isZero();
    }

    @Test
    void anExhaustedDistributionGivesProbabilityZero() {
        var distribution = distribution(.5, .5, 0);
        distribution.drawn(0);
        distribution.drawn(1);

        assertThat(distribution.of(2)).isZero();
    }

    private static SiblingDistribution distribution(double... distribution) {
        var distributions = DraftDistributions.builder().put(0, distribution).build();
        var tree = TokenTree.chain(9, 0);
        return SiblingDistribution.at(
                new Draft(tree, new Selection.WithoutReplacement(distributions)), 0);
    }
}
