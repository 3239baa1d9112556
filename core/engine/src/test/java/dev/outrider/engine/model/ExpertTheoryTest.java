package dev.outrider.engine.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.model.SpeedupTheory.ExpertTheory;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExpertTheoryTest {
    /// Compares with rows that choose experts at random.
    @Test
    void expectedExpertsAreThoseOfRandomChoices() {
        var random = new Random(1);
        for (int rows : new int[] {1, 2, 5, 9}) {
            long active = 0;
            int trials = 20_000;
            for (int trial = 0; trial < trials; trial++) {
                var awake = new boolean[8];
                for (int row = 0; row < rows; row++) {
                    random.ints(0, 8).distinct().limit(2).forEach(expert -> awake[expert] = true);
                }
                for (boolean each : awake) {
                    active += each ? 1 : 0;
                }
            }
            assertThat(new ExpertTheory(8, 2).active(rows))
                    .isCloseTo((double) active / trials, within(.05));
        }
    }

    @Test
    void oneRowActivatesItsOwnAndManyRowsActivateAll() {
        var theory = new ExpertTheory(128, 8);
        assertThat(theory.active(0)).isZero();
        assertThat(theory.active(1)).isCloseTo(8, within(1e-9));
        assertThat(theory.active(1000)).isCloseTo(128, within(1e-9));
        assertThat(new ExpertTheory(4, 4).active(1)).isEqualTo(4);
    }

    @Test
    void denseWeightsAreReadOnce() {
        var theory = new ExpertTheory(8, 2);
        assertThat(theory.pass(1, .5)).isCloseTo(1, within(1e-9));
        assertThat(theory.pass(5, 0)).isEqualTo(1);
        assertThat(theory.pass(5, 1)).isCloseTo(theory.active(5) / 2, within(1e-9));
        assertThat(theory.speedup(.8, 4, .1, 0))
                .isCloseTo(SpeedupTheory.speedup(.8, 4, .1), within(1e-9));
        assertThat(theory.speedup(.8, 4, .1, .9)).isLessThan(1.1);
    }

    @Test
    void refusesImpossibleArguments() {
        assertThatThrownBy(() -> new ExpertTheory(2, 3))
                .hasMessage("a row cannot activate 3 of 2 experts");
        assertThatThrownBy(() -> new ExpertTheory(2, 1).active(-1))
                .hasMessage("-1 rows are negative");
        assertThatThrownBy(() -> new ExpertTheory(2, 1).pass(1, 2))
                .hasMessage("share 2.0 must be in [0, 1]");
    }
}
