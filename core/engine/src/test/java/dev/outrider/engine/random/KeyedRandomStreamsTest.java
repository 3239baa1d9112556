package dev.outrider.engine.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.sampling.Randomness;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

class KeyedRandomStreamsTest {
    private final KeyedRandomStreams streams = new KeyedRandomStreams(42, 7);

    @Test
    void theSameKeyGivesTheSameNumbers() {
        var first = streams.stream(3, Randomness.Role.ACCEPT, 5);
        var second = new KeyedRandomStreams(42, 7).stream(3, Randomness.Role.ACCEPT, 5);

        assertThat(first.longs(100))
                .containsExactly(second.longs(100).boxed().toArray(Long[]::new));
    }

    @Test
    void everyPartOfTheKeyMatters() {
        var numbers = new HashSet<Long>();
        int keys = 0;
        for (long seed = 0; seed < 3; seed++) {
            for (long request = 0; request < 3; request++) {
                for (int round = 0; round < 50; round++) {
                    for (var role : Randomness.Role.values()) {
                        for (int node = 0; node < 20; node++) {
                            keys++;
                            numbers.add(
                                    new KeyedRandomStreams(seed, request)
                                            .stream(round, role, node).nextLong());
                        }
                    }
                }
            }
        }
        assertThat(numbers).hasSize(keys);
    }

    /// 64 cells, 63 degrees of freedom: true uniform numbers exceed 126 with probability 4e-6.
    @Test
    void firstNumbersOfNeighbouringRoundsAreJointlyUniform() {
        var cells = new int[64];
        int pairs = 64_000;
        for (int round = 0; round < pairs; round++) {
            double first = streams.stream(round, Randomness.Role.ACCEPT, 1).nextDouble();
            double second = streams.stream(round + 1, Randomness.Role.ACCEPT, 1).nextDouble();
            cells[(int) (first * 8) * 8 + (int) (second * 8)]++;
        }
        assertThat(chiSquare(cells, pairs)).isLessThan(126);
    }

    @Test
    void draftAndAcceptStreamsOfOneNodeAreJointlyUniform() {
        var cells = new int[64];
        int pairs = 64_000;
        for (int node = 0; node < pairs; node++) {
            double first = streams.stream(0, Randomness.Role.DRAFT, node).nextDouble();
            double second = streams.stream(0, Randomness.Role.ACCEPT, node).nextDouble();
            cells[(int) (first * 8) * 8 + (int) (second * 8)]++;
        }
        assertThat(chiSquare(cells, pairs)).isLessThan(126);
    }

    @Test
    void consecutiveNumbersOfOneStreamAreJointlyUniform() {
        var cells = new int[64];
        int pairs = 64_000;
        var stream = streams.stream(0, Randomness.Role.BONUS, 0);
        for (int pair = 0; pair < pairs; pair++) {
            cells[(int) (stream.nextDouble() * 8) * 8 + (int) (stream.nextDouble() * 8)]++;
        }
        assertThat(chiSquare(cells, pairs)).isLessThan(126);
    }

    private static double chiSquare(int[] cells, int total) {
        double expected = (double) total / cells.length;
        double sum = 0;
        for (int count : cells) {
            sum += (count - expected) * (count - expected) / expected;
        }
        return sum;
    }
}
