package dev.outrider.nn.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class VectorMathTest {
    @Test
    void exponentialsAreRightToTwoUnitsInTheLastPlace() {
        var random = new SplittableRandom(1);
        var x = new float[64 * Lanes.PANEL];
        for (int index = 0; index < x.length; index++) {
            x[index] = (float) random.nextDouble(-86, 0);
        }
        var powers = x.clone();
        VectorMath.exponentials(powers, 0, powers.length, 0);
        for (int index = 0; index < x.length; index++) {
            double exact = Math.exp(x[index]);
            assertThat((double) powers[index])
                    .isCloseTo(exact, within(2 * (double) Math.ulp((float) exact)));
        }
    }

    @Test
    void whatMayNotBeSeenWeighsNothingAtAll() {
        var x = new float[Lanes.PANEL];
        x[0] = Float.NEGATIVE_INFINITY;
        x[1] = -88;
        VectorMath.exponentials(x, 0, x.length, 0);
        assertThat(x[0]).isEqualTo(0);
        assertThat(x[1]).isEqualTo(0);
        assertThat(x[2]).isEqualTo(1);
    }

    @Test
    void siluOfAnyLength() {
        for (int size = 1; size < 2 * Lanes.PANEL; size++) {
            var x = new float[size];
            var y = new float[size];
            for (int index = 0; index < size; index++) {
                x[index] = index;
                y[index] = index - 5;
            }
            VectorMath.addSilu(x, y);
            for (int index = 0; index < size; index++) {
                double expected = index + y[index] / (1 + Math.exp(-y[index]));
                assertThat((double) x[index]).isCloseTo(expected, within(1e-5));
            }
        }
    }
}
