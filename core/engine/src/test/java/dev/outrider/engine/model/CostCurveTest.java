package dev.outrider.engine.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CostCurveTest {
    @Test
    void isStraightBetweenKnownPointsAndBeyondTheLast() {
        var curve = curve(Map.of(1, 10.0, 3, 14.0, 7, 30.0));
        assertThat(curve.at(1)).isEqualTo(10);
        assertThat(curve.at(2)).isEqualTo(12);
        assertThat(curve.at(5)).isEqualTo(22);
        assertThat(curve.at(9)).isEqualTo(38);
    }

    @Test
    void doesNotFallBeyondTheLastPointAndIsLevelWithOne() {
        assertThat(curve(Map.of(1, 10.0, 3, 8.0)).at(2)).isEqualTo(9);
        assertThat(curve(Map.of(1, 10.0, 3, 8.0)).at(9)).isEqualTo(8);
        assertThat(curve(Map.of(1, 10.0)).at(9)).isEqualTo(10);
    }

    @Test
    void needsOneRowAndPositiveTimes() {
        assertThatThrownBy(() -> curve(Map.of(2, 1.0)))
                .hasMessage("rows [2] must be positive and 1 among them");
        assertThatThrownBy(() -> curve(Map.of(1, 0.0)))
                .hasMessage("a pass of 1 rows takes 0.0, expected a positive time");
        assertThatThrownBy(() -> curve(Map.of(1, Double.NaN))).hasMessageContaining("NaN");
    }

    @Test
    void saysHowATimeIsKnown() {
        var curve = curve(Map.of(1, 10.0, 3, 14.0));
        assertThat(curve.reach(3)).isEqualTo(CostCurve.Reach.TIMED);
        assertThat(curve.reach(2)).isEqualTo(CostCurve.Reach.BETWEEN);
        assertThat(curve.reach(4)).isEqualTo(CostCurve.Reach.BEYOND);
    }

    @Test
    void aTimedPointHasTheIntervalOfItsError() {
        var curve =
                new CostCurve(
                        new TreeMap<>(Map.of(1, 10.0, 2, 12.0)),
                        new TreeMap<>(Map.of(2, Math.log(2) / 1.96)));
        assertThat(curve.timed().get(1)).isEqualTo(new CostCurve.Point(10, 10, 10));
        assertThat(curve.timed().get(2)).isEqualTo(new CostCurve.Point(12, 6, 24));
        assertThat(curve.mostRows()).isEqualTo(2);
    }

    private static CostCurve curve(Map<Integer, Double> points) {
        return new CostCurve(new TreeMap<>(points));
    }
}
