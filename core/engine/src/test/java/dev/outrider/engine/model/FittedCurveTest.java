package dev.outrider.engine.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FittedCurveTest {
    @Test
    void valuesThatFallBecomeTheirWeightedMean() {
        assertThat(FittedCurve.rising(new double[] {1, 4, 2, 3, 5}, new double[] {1, 1, 3, 1, 1}))
                .containsExactly(1, 2.5, 2.5, 3, 5);
    }

    @Test
    void valuesWithoutWeightAreUnknownAndMoveNoOther() {
        assertThat(FittedCurve.rising(new double[] {2, 9, 1}, new double[] {1, 0, 1}))
                .containsExactly(1.5, 9, 1.5);
    }

    @Test
    void isLinearBetweenPointsAndGoesOnWithItsSlope() {
        SortedMap<Integer, Double> points = new TreeMap<>();
        points.put(1, 10.0);
        points.put(5, 30.0);
        assertThat(FittedCurve.at(points, 0, 2)).isEqualTo(10);
        assertThat(FittedCurve.at(points, 3, 2)).isEqualTo(20);
        assertThat(FittedCurve.at(points, 5, 2)).isEqualTo(30);
        assertThat(FittedCurve.at(points, 7, 2)).isEqualTo(34);
    }
}
