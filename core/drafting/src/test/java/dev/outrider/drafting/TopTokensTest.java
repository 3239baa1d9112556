package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopTokensTest {
    @Test
    void equalsAFullSortIncludingTiesAndImpossibleTokens() {
        for (int seed = 0; seed < 2000; seed++) {
            var random = new Random(seed);
            var scores = new float[1 + random.nextInt(40)];
            for (int id = 0; id < scores.length; id++) {
                scores[id] =
                        switch (random.nextInt(6)) {
                            case 0 -> Float.NEGATIVE_INFINITY;
                            case 1 -> Float.NaN;
                            case 2, 3 -> random.nextInt(3);
                            default -> (float) random.nextGaussian();
                        };
            }
            int count = random.nextInt(scores.length + 3);
            var sorted =
                    IntStream.range(0, scores.length)
                            .boxed()
                            .filter(id -> scores[id] > Float.NEGATIVE_INFINITY)
                            .sorted(Comparator.comparing(id -> -scores[id]))
                            .limit(count)
                            .mapToInt(Integer::intValue)
                            .toArray();
            assertThat(TopTokens.of(scores, count)).as("seed %d", seed).isEqualTo(sorted);
        }
    }
}
