package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecentContextsTest {
    private static final int WIDTH = 3;

    @Test
    void knowsTheContextsThatWereRenewedLast() {
        for (int capacity : new int[] {1, 2, 7, 64, 100, 1000}) {
            for (int vocabulary : new int[] {2, 5, 40}) {
                var contexts = new RecentContexts(WIDTH, capacity);
                var twin = new Twin(capacity);
                int[] text = Noise.tokens(vocabulary, 1500);
                for (int end = WIDTH; end < text.length; end++) {
                    int[] context = Arrays.copyOfRange(text, end - WIDTH, end);
                    int length = 1 + end % WIDTH;
                    assertThat(use(contexts, context, length))
                            .describedAs("%d contexts, V = %d", capacity, vocabulary)
                            .isEqualTo(twin.use(context, length));
                }
                twin.assertSame(contexts);
                assertThat(contexts.bytes()).isLessThanOrEqualTo(4L * (WIDTH + 5) * capacity);
            }
        }
    }

    @Test
    void contextsOfDifferentLengthsDiffer() {
        var contexts = new RecentContexts(WIDTH, 16);
        int[] context = {0, 0, 0};
        for (int length = 1; length <= WIDTH; length++) {
            assertThat(contexts.find(context, length)).isEqualTo(RecentContexts.NONE);
            assertThat(contexts.add(context, length)).isEqualTo(length - 1);
        }
        for (int length = 1; length <= WIDTH; length++) {
            assertThat(contexts.find(context, length)).isEqualTo(length - 1);
        }
    }

    @Test
    void memoryGrowsWithTheContextsAndNoFurtherThanTheCapacity() {
        var contexts = new RecentContexts(WIDTH, 1 << 24);
        assertThat(contexts.bytes()).isLessThan(4096);
        for (int token = 0; token < 10_000; token++) {
            contexts.add(new int[] {token}, 1);
        }
        assertThat(contexts.room()).isBetween(10_000, 20_000);

        var full = new RecentContexts(WIDTH, 100);
        for (int token = 0; token < 10_000; token++) {
            assertThat(full.add(new int[] {token}, 1)).isBetween(0, 99);
        }
        assertThat(full.room()).isEqualTo(100);
    }

    @Test
    void aCopyGoesItsOwnWay() {
        var contexts = new RecentContexts(WIDTH, 2);
        contexts.add(new int[] {1}, 1);
        contexts.add(new int[] {2}, 1);
        var copy = new RecentContexts(contexts);
        copy.add(new int[] {3}, 1);
        contexts.renew(contexts.find(new int[] {1}, 1));
        contexts.add(new int[] {4}, 1);

        assertThat(known(contexts)).containsExactly(1, 4);
        assertThat(known(copy)).containsExactly(2, 3);
    }

    private static int[] known(RecentContexts contexts) {
        return IntStream.range(0, 10)
                .filter(token -> contexts.find(new int[] {token}, 1) != RecentContexts.NONE)
                .toArray();
    }

    /// Renews or adds a context; returns whether it was known.
    private static boolean use(RecentContexts contexts, int[] context, int length) {
        int number = contexts.find(context, length);
        if (number == RecentContexts.NONE) {
            contexts.add(context, length);
            return false;
        }
        contexts.renew(number);
        return true;
    }

    /// The reference implementation: a list of contexts in the order of use.
    private static final class Twin {
        private final int capacity;
        private final Map<List<Integer>, Boolean> recent = new LinkedHashMap<>();

        Twin(int capacity) {
            this.capacity = capacity;
        }

        boolean use(int[] context, int length) {
            var key =
                    Arrays.stream(context, context.length - length, context.length)
                            .boxed()
                            .toList();
            boolean known = recent.remove(key) != null;
            recent.put(key, true);
            if (recent.size() > capacity) {
                recent.remove(recent.keySet().iterator().next());
            }
            return known;
        }

        void assertSame(RecentContexts contexts) {
            var numbers = new HashSet<Integer>();
            for (var key : recent.keySet()) {
                int[] context = key.stream().mapToInt(Integer::intValue).toArray();
                numbers.add(contexts.find(context, context.length));
            }
            assertThat(numbers).doesNotContain(RecentContexts.NONE).hasSize(recent.size());
        }
    }
}
