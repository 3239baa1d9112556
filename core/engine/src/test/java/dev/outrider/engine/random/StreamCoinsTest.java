package dev.outrider.engine.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.StreamRole;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class StreamCoinsTest {
    private final StreamCoins coins = new StreamCoins(new KeyedRandomStreams(1, 2), 3);

    @Test
    void aSecondCallAtTheSameNodeIsFresh() {
        assertThat(coins.uniform(StreamRole.DRAFT, 4))
                .isNotEqualTo(coins.uniform(StreamRole.DRAFT, 4));
    }

    @Test
    void coinsDoNotDependOnTheOrderInWhichNodesAreAsked() {
        var other = new StreamCoins(new KeyedRandomStreams(1, 2), 3);
        double first = coins.uniform(StreamRole.ACCEPT, 1);
        double second = coins.uniform(StreamRole.ACCEPT, 2);

        assertThat(other.uniform(StreamRole.ACCEPT, 2)).isEqualTo(second);
        assertThat(other.uniform(StreamRole.ACCEPT, 1)).isEqualTo(first);
    }

    @Test
    void aUniformOfZeroDoesNotAcceptProbabilityZero() {
        var zeros = new StreamCoins((round, role, node) -> constant(0), 0);

        assertThat(zeros.accept(1, 0, .5)).isFalse();
        assertThat(zeros.accept(1, Double.MIN_VALUE, .5)).isTrue();
    }

    @Test
    void aCertaintyIsAlwaysAccepted() {
        var nearOne = new StreamCoins((round, role, node) -> constant(-1L), 0);

        assertThat(nearOne.accept(1, .5, .5)).isTrue();
        assertThat(nearOne.accept(1, .5, .500001)).isFalse();
    }

    private static RandomGenerator constant(long word) {
        return () -> word;
    }
}
