package dev.outrider.engine.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.sampling.Randomness;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class StreamRandomnessTest {
    private final StreamRandomness randomness =
            new StreamRandomness(new KeyedRandomStreams(1, 2), 3);

    @Test
    void aSecondCallAtTheSameNodeIsFresh() {
        assertThat(randomness.uniform(Randomness.Role.DRAFT, 4))
                .isNotEqualTo(randomness.uniform(Randomness.Role.DRAFT, 4));
    }

    @Test
    void randomnessDoNotDependOnTheOrderInWhichNodesAreAsked() {
        var other = new StreamRandomness(new KeyedRandomStreams(1, 2), 3);
        double first = randomness.uniform(Randomness.Role.ACCEPT, 1);
        double second = randomness.uniform(Randomness.Role.ACCEPT, 2);

        assertThat(other.uniform(Randomness.Role.ACCEPT, 2)).isEqualTo(second);
        assertThat(other.uniform(Randomness.Role.ACCEPT, 1)).isEqualTo(first);
    }

    @Test
    void aUniformOfZeroDoesNotAcceptProbabilityZero() {
        var zeros = new StreamRandomness((round, role, node) -> constant(0), 0);

        assertThat(zeros.accept(1, 0, .5)).isFalse();
        assertThat(zeros.accept(1, Double.MIN_VALUE, .5)).isTrue();
    }

    @Test
    void aCertaintyIsAlwaysAccepted() {
        var nearOne = new StreamRandomness((round, role, node) -> constant(-1L), 0);

        assertThat(nearOne.accept(1, .5, .5)).isTrue();
        assertThat(nearOne.accept(1, .5, .500001)).isFalse();
    }

    private static RandomGenerator constant(long word) {
        return () -> word;
    }
}
