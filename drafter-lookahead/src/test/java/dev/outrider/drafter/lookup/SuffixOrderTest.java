package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafter.lookup.DatastoreWriter.SuffixOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The order equals that of a plain sort of whole prefixes.
class SuffixOrderTest {
    @Test
    void suffixesAreInTheOrderOfTheirFirstTokens() {
        for (int seed = 0; seed < 60; seed++) {
            var random = new Random(seed);
            var text = random.ints(1 + random.nextInt(400), 0, 1 + random.nextInt(5)).toArray();
            int sorted = 1 + random.nextInt(10);

            assertThat(SuffixOrder.of(text, sorted))
                    .describedAs("seed %d", seed)
                    .isEqualTo(plain(text, sorted));
        }
    }

    @Test
    void textThatRepeatsItselfIsSortedToo() {
        var same = new int[50_000];
        var cycle = IntStream.range(0, 50_000).map(i -> i % 7).toArray();

        assertThat(SuffixOrder.of(same, 32)).isEqualTo(plain(same, 32));
        assertThat(SuffixOrder.of(cycle, 32)).isEqualTo(plain(cycle, 32));
    }

    @Test
    void nothingHasNoSuffixes() {
        assertThat(SuffixOrder.of(new int[0], 8)).isEmpty();
    }

    private static int[] plain(int[] text, int sorted) {
        Comparator<int[]> byTokens = Arrays::compare;
        return IntStream.range(0, text.length)
                .boxed()
                .sorted(
                        Comparator.comparing(
                                        (Integer at) ->
                                                Arrays.copyOfRange(
                                                        text,
                                                        at,
                                                        Math.min(text.length, at + sorted)),
                                        byTokens)
                                .thenComparing(Comparator.naturalOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
