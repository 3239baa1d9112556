package dev.outrider.drafter.lookahead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafter.lookahead.LookaheadSession.NGramPool;
import org.junit.jupiter.api.Test;

class NGramPoolTest {
    @Test
    void theNewestComeFirstAndTheOldestGoes() {
        var pool = new NGramPool(2);
        pool.add(5, new int[] {1, 2});
        pool.add(5, new int[] {1, 3});
        pool.add(5, new int[] {1, 4});
        pool.add(6, new int[] {9, 9});

        assertThat(pool.following(5)).containsExactly(new int[] {1, 4}, new int[] {1, 3});
        assertThat(pool.following(6)).containsExactly(new int[] {9, 9});
        assertThat(pool.following(7)).isEmpty();
        assertThat(pool.size()).isEqualTo(3);
    }

    @Test
    void whatIsSeenAgainBecomesTheNewest() {
        var pool = new NGramPool(2);
        pool.add(5, new int[] {1, 2});
        pool.add(5, new int[] {1, 3});
        pool.add(5, new int[] {1, 2});
        pool.add(5, new int[] {1, 4});

        assertThat(pool.following(5)).containsExactly(new int[] {1, 4}, new int[] {1, 2});
    }

    @Test
    void aTextGivesEveryNGramWithinIt() {
        var pool = new NGramPool(4);
        pool.addAll(new int[] {1, 2, 3, 1, 2}, 3);
        pool.addAll(new int[] {8, 8}, 3);

        assertThat(pool.following(1)).containsExactly(new int[] {2, 3});
        assertThat(pool.following(2)).containsExactly(new int[] {3, 1});
        assertThat(pool.following(3)).containsExactly(new int[] {1, 2});
        assertThat(pool.size()).isEqualTo(3);
    }
}
