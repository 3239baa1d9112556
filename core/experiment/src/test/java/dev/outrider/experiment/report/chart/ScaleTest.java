package dev.outrider.experiment.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ScaleTest {
    @Test
    void coversEveryNumberWithFewRoundTicks() {
        var random = new SplittableRandom(7);
        for (int i = 0; i < 2000; i++) {
            double most = Math.pow(10, random.nextDouble(-6, 9));
            var scale = Scale.fromZero(most, 100, 300);
            assertThat(scale.high()).isBetween(most * (1 - 1e-6), 2 * most);
            assertThat(scale.ticks()).hasSizeBetween(3, 12);
            assertThat(scale.ticks().getFirst()).isZero();
            assertThat(scale.ticks().getLast())
                    .isCloseTo(scale.high(), within(scale.high() * 1e-6));
        }
    }

    @Test
    void numbersBeyondAreDrawnAtTheEdge() {
        var scale = new Scale(0, 1, 10, 20);
        assertThat(scale.at(.25)).isEqualTo(12.5);
        assertThat(scale.at(7)).isEqualTo(20);
        assertThat(scale.at(-7)).isEqualTo(10);
        assertThat(Scale.fromZero(0, 0, 1).high()).isEqualTo(1);
        assertThatThrownBy(() -> new Scale(1, 1, 0, 1)).hasMessage("no scale from 1.0 to 1.0");
    }
}
