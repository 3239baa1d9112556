package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForkedRandomnessTest {
    private static final double[] DISTRIBUTION = {0, .6, 0, .2};

    @Test
    void aDrawFromASupportIsADrawFromTheDistribution() {
        var drawn = draw(Support.of(new double[] {1, 1, 0, 1}));

        assertThat(drawn).containsOnlyKeys(1, 3);
        assertThat(drawn.get(1)).isCloseTo(.75, within(1e-15));
        assertThat(drawn.get(3)).isCloseTo(.25, within(1e-15));
    }

    @Test
    void aDistributionIsZeroOutsideItsSupport() {
        assertThatThrownBy(() -> draw(Support.of(new double[] {1, 1, 1, 0})))
                .isInstanceOf(AssertionError.class)
                .hasMessage(
                        "draw RESIDUAL at node 2 gives token 3 weight 0.2, expected 0: its support does not hold the token");
        assertThatThrownBy(() -> draw(Support.of(new double[] {0, 0, 0, 1})))
                .hasMessageContaining("gives token 1 weight 0.6, expected 0");
    }

    @Test
    void theTokensOfASupportRise() {
        assertThatThrownBy(() -> draw(Support.of(DISTRIBUTION).mapped(_ -> 1)))
                .isInstanceOf(AssertionError.class)
                .hasMessage(
                        "draw RESIDUAL at node 2 has token 1 in its support at index 1, expected rising tokens, 2 to 3 here");
        assertThatThrownBy(() -> draw(Support.of(new double[] {0, 1, 0, 1, 1})))
                .hasMessageContaining("has token 4 in its support at index 2");
    }

    private static Map<Integer, Double> draw(Support support) {
        return ForkedRandomness.enumerate(
                randomness -> randomness.draw(Randomness.Role.RESIDUAL, 2, DISTRIBUTION, support));
    }
}
