package dev.outrider.experiment.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.experiment.run.FakeClock;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class UntilDecidedTest {
    private final FakeClock clock = new FakeClock();

    @Test
    void looksWheneverThereAreHalfAsManyAgain() {
        assertThat(SequentialTest.schedule(8, 80)).containsExactly(8, 12, 18, 27, 41, 62, 80);
        assertThat(SequentialTest.schedule(8, 8)).containsExactly(8);
        assertThat(SequentialTest.schedule(8, 3)).containsExactly(3);
        assertThat(SequentialTest.schedule(1, 4)).containsExactly(2, 3, 4);
    }

    @Test
    void everyLookHasAnEqualShareOfTheChanceOfAnError() {
        var until = new SequentialTest(8, Optional.empty(), clock);
        until.sizes(80);
        assertThat(until.alpha()).isEqualTo(.05 / 7);
    }

    @Test
    void isSpentOnceItsTimeIsOverAndNeverWithoutOne() {
        var until = new SequentialTest(8, Optional.of(Duration.ofMinutes(1)), clock);
        var endless = new SequentialTest(8, Optional.empty(), clock);
        clock.advance(Duration.ofSeconds(59).toNanos());
        assertThat(until.spent()).isFalse();
        clock.advance(Duration.ofSeconds(1).toNanos());
        assertThat(until.spent()).isTrue();
        assertThat(endless.spent()).isFalse();
    }

    @Test
    void warmsUpForHalfOfItsTime() {
        var until = new SequentialTest(8, Optional.of(Duration.ofMinutes(1)), clock);
        clock.advance(Duration.ofSeconds(29).toNanos());
        assertThat(until.warm()).isFalse();
        clock.advance(Duration.ofSeconds(1).toNanos());
        assertThat(until.warm()).isTrue();
        assertThat(new SequentialTest(8, Optional.empty(), clock).warm()).isFalse();
    }
}
