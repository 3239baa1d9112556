package dev.outrider.experiment.costs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.experiment.costs.Costs.LinearCost;
import dev.outrider.experiment.costs.TimedBlocks.TimedPasses;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class FittedCostsTest {
    /// The means of these passes would be 13, 108, 218, 205 and 21, which would show no gain of drafting one token.
    @Test
    void passesThatWereDisturbedDoNotMoveTheCurveAndFewAreNone() {
        var curve =
                TimedPasses.curve(
                        new TreeMap<>(
                                Map.of(
                                        1, new double[] {10, 10, 11, 10, 30, 10, 10},
                                        2,
                                                new double[] {
                                                    11, 12, 12, 12, 1000, 13, 12, 12, 12, 11, 12,
                                                    560, 12, 13, 12, 12
                                                },
                                        3, new double[] {16, 200, 900, 15, 80, 17, 300},
                                        4, new double[] {400, 9},
                                        5, new double[] {20, 21, 20, 22, 21, 22, 21, 22, 20})));
        assertThat(curve.points()).containsOnlyKeys(1, 2, 5);
        assertThat(curve.at(1)).isCloseTo(10, within(1e-9));
        assertThat(curve.at(2)).isCloseTo(12, within(1e-9));
        assertThat(curve.at(5)).isCloseTo(21, within(1e-9));
        var point = java.util.Objects.requireNonNull(curve.timed().get(2));
        assertThat(point.low()).isLessThan(12);
        assertThat(point.high()).isGreaterThan(12);
    }

    @Test
    void aCurveThatFellIsPooledByHowWellItIsKnown() {
        var points = new TreeMap<>(Map.of(1, 10.0, 2, 20.0, 3, 5.0, 4, 30.0));
        var rising = TimedBlocks.TimedPasses.rising(points, Map.of(2, .1, 3, .1, 4, .1, 1, .1));
        assertThat(java.util.List.copyOf(rising.values()))
                .usingElementComparator((one, other) ->
                        Math.abs(one - other) < 1e-9 ? 0 : Double.compare(one, other))
                .containsExactly(10.0, 10.0, 10.0, 30.0);
        var sure = TimedBlocks.TimedPasses.rising(points, Map.of(1, .1, 2, .001, 3, 9.0, 4, .1));
        assertThat(sure.get(2)).isCloseTo(20, within(.01));
        assertThat(sure.get(3)).isEqualTo(sure.get(2));
    }

    @Test
    void draftsLieOnALineWhosePartsAreNotNegative() {
        assertThat(LinearCost.through(new TreeMap<>(Map.of(4, 8.0)), Map.of(4, 9), "x"))
                .isEqualTo(new LinearCost(0, 2, "x"));
        assertThat(
                        LinearCost.through(
                                new TreeMap<>(Map.of(1, 5.0, 3, 9.0)), Map.of(1, 9, 3, 9), "x"))
                .isEqualTo(new LinearCost(3, 2, "x"));
        var level =
                LinearCost.through(
                        new TreeMap<>(Map.of(1, 6.0, 3, 4.0)), Map.of(1, 9, 3, 9), "in one pass");
        assertThat(level.level()).isZero();
        assertThat(level.round()).isEqualTo(5);
        var steep =
                LinearCost.through(
                        new TreeMap<>(Map.of(1, 1.0, 3, 9.0)), Map.of(1, 9, 3, 9), "catches up");
        assertThat(steep.round()).isZero();
        assertThat(steep.level()).isCloseTo(2.8, within(1e-9));
    }
}
