package dev.outrider.nn.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.nn.network.Experts;
import dev.outrider.nn.vector.Mixture.Routing;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoutingTest {
    private static final Experts TWO_OF_FOUR = new Experts(4, 2, 8);

    private final Routing routing = new Routing();

    @Test
    void ofEqualScoresTheLowerNumberComesFirst() {
        choose(TWO_OF_FOUR, new float[] {1, 3, 3, 3}, new float[] {0, 0, 0, 0});
        assertThat(choices(0)).containsExactly(2);
        assertThat(choices(1)).containsExactly(0, 3);
        assertThat(choices(2)).containsExactly(1);
        assertThat(choices(3)).isEmpty();
        assertThat(routing.weight(0)).isEqualTo(0.5f);
    }

    @Test
    void countsDifferentExpertsOverLayers() {
        routing.begin();
        assertThat(routing.activeExperts()).isEmpty();
        choose(TWO_OF_FOUR, new float[] {4, 3, 2, 1}, new float[] {4, 3, 2, 1});
        assertThat(routing.activeExperts()).hasValue(2);
        choose(TWO_OF_FOUR, new float[] {4, 3, 2, 1}, new float[] {1, 2, 3, 4});
        assertThat(routing.activeExperts()).hasValue(3);
        routing.begin();
        assertThat(routing.activeExperts()).isEmpty();
    }

    @Test
    void weightsAreOfAllUnlessNormalised() {
        var scores = new float[] {0, 1, 2, 3};
        double all = 1 + Math.E + Math.exp(2) + Math.exp(3);
        choose(new Experts(4, 2, 8, false, false, OptionalInt.empty(), 1, Set.of()), scores);
        assertThat(routing.weight(0)).isCloseTo((float) (Math.exp(3) / all), within(1e-6f));
        assertThat(routing.weight(1)).isCloseTo((float) (Math.exp(2) / all), within(1e-6f));
        choose(TWO_OF_FOUR, scores);
        assertThat(routing.weight(0) + routing.weight(1)).isCloseTo(1, within(1e-6f));
    }

    private void choose(Experts experts, float[]... scores) {
        var rows = new Rows();
        rows.shape(scores.length, scores[0].length);
        for (int row = 0; row < scores.length; row++) {
            System.arraycopy(scores[row], 0, rows.numbers(), rows.at(row), scores[row].length);
        }
        routing.choose(experts, rows, scores.length);
    }

    private int[] choices(int expert) {
        var choices = new int[routing.rowsOf(expert)];
        for (int index = 0; index < choices.length; index++) {
            choices[index] = routing.choice(expert, index);
        }
        return choices;
    }
}
