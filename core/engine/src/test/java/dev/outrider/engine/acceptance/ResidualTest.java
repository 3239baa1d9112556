package dev.outrider.engine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.sampling.Randomness;
import org.junit.jupiter.api.Test;

/// Cases that only rounding produces, so enumeration of exact fractions does not cover them.
class RemainderTest {
    @Test
    void aRemovedTokenIsNotDrawnAgain() {
        var left = Residual.at(new GivenDistributions(new double[] {.5, .3, .2}), 0);
        left.remove(1);

        assertThat(drawn(left)).containsExactly(.5, 0, .2);
    }

    @Test
    void theOnlyTokenOfADistributionStays() {
        var left = Residual.at(new GivenDistributions(new double[] {0, 1, 0}), 0);
        left.remove(1);

        assertThat(drawn(left)).containsExactly(0, 1, 0);
    }

    @Test
    void removingATokenWithProbabilityZeroChangesNothing() {
        var left = Residual.at(new GivenDistributions(new double[] {.5, 0, .5}), 0);
        left.remove(1);

        assertThat(drawn(left)).containsExactly(.5, 0, .5);
    }

    private static double[] drawn(Residual left) {
        var randomness = new ScriptedRandomness(.1);
        left.draw(randomness, Randomness.Role.RESIDUAL);
        return randomness.distributions.getFirst();
    }
}
