package dev.outrider.engine.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final long LONG = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long SHORT = TimeUnit.MICROSECONDS.toNanos(50);

    private final Backoff backoff = new Backoff();

    @Test
    void helpersThatAlwaysKeepTheRuleWaitingAreLeftAloneLonger() {
        for (int pause : new int[] {1, 4, 16, 64, 64}) {
            assertThat(backoff.tries()).isTrue();
            backoff.waited(LONG);
            assertThat(roundsWithout()).isEqualTo(pause);
        }
    }

    @Test
    void oneSlowRoundIsSoonForgotten() {
        backoff.waited(LONG);
        assertThat(roundsWithout()).isEqualTo(1);
        for (int round = 0; round < 16; round++) {
            assertThat(backoff.tries()).isTrue();
            backoff.waited(SHORT);
        }
        backoff.waited(LONG);
        assertThat(roundsWithout()).isEqualTo(1);
    }

    private int roundsWithout() {
        int rounds = 0;
        while (!backoff.tries()) {
            rounds++;
        }
        return rounds;
    }
}
