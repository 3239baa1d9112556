package dev.outrider.engine.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.model.RoundCost.Shape;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RoundCostTest {
    @Test
    void timesLieOnLinesBetweenMeasuredRows() {
        var cost = new RoundCost(0.5, 0.1, new TreeMap<>(Map.of(1, 2.0, 5, 4.0, 9, 10.0)));

        assertThat(cost.plain()).isEqualTo(2);
        assertThat(cost.verifying(3)).isEqualTo(3);
        assertThat(cost.verifying(5)).isEqualTo(4);
        assertThat(cost.verifying(8)).isEqualTo(8.5);
        assertThat(cost.verifying(99)).isEqualTo(10);
        assertThat(cost.of(4, 2)).isCloseTo(0.5 * 2 + 0.1 * 4 + 4, within(1e-12));
    }

    @Test
    void speedupIsTokensTimesAPlainRoundOverTheRound() {
        var cost = new RoundCost(0.5, 0, new TreeMap<>(Map.of(1, 2.0, 3, 3.0)));
        var tree = new OptimalTrees.Tree(List.of(List.of(0), List.of(0, 0)), 1.8);

        assertThat(cost.speedup(tree)).isCloseTo(1.8 * 2 / (1 + 3), within(1e-12));
    }

    @Test
    void fitFindsTheCostsOfALevelAndANode() {
        var rows = new TreeMap<>(Map.of(1, 1.0));
        var exact =
                Map.of(
                        new Shape(4, 4), 4 * 3.0 + 4 * 0.25,
                        new Shape(16, 2), 2 * 3.0 + 16 * 0.25,
                        new Shape(9, 3), 3 * 3.0 + 9 * 0.25);

        var fitted = RoundCost.fit(exact, rows);

        assertThat(fitted.draftPerLevel()).isCloseTo(3, within(1e-9));
        assertThat(fitted.draftPerNode()).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void neitherCostIsNegative() {
        var rows = new TreeMap<>(Map.of(1, 1.0));

        var levelsOnly = RoundCost.fit(Map.of(new Shape(2, 2), 4.0, new Shape(20, 4), 6.0), rows);
        var nodesOnly = RoundCost.fit(Map.of(new Shape(4, 4), 1.0, new Shape(8, 1), 8.0), rows);
        var chains = RoundCost.fit(Map.of(new Shape(2, 2), 4.0, new Shape(4, 4), 8.0), rows);

        assertThat(levelsOnly.draftPerNode()).isZero();
        assertThat(levelsOnly.draftPerLevel()).isCloseTo(32.0 / 20, within(1e-9));
        assertThat(nodesOnly.draftPerLevel()).isZero();
        assertThat(nodesOnly.draftPerNode()).isCloseTo(68.0 / 80, within(1e-9));
        assertThat(chains.drafting(3, 3)).isCloseTo(6, within(1e-9));
        assertThat(RoundCost.fit(Map.of(), rows).drafting(3, 3)).isZero();
    }

    @Test
    void refusesTimesWithoutPlainDecoding() {
        assertThatThrownBy(() -> new RoundCost(0, 0, new TreeMap<>(Map.of(2, 1.0))))
                .hasMessage("times by rows {2=1.0} must be positive, one row among them");
        assertThatThrownBy(() -> new RoundCost(-1, 0, new TreeMap<>(Map.of(1, 1.0))))
                .hasMessage("draft costs -1.0 a level and 0.0 a node must be 0 or more");
    }
}
