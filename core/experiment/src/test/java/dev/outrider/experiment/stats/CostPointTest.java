package dev.outrider.experiment.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.RoundRecord;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CostPointTest {
    @Test
    void expertsAreTheMeanOfPassesWithSoManyRows() {
        var curve =
                CostPoint.curve(
                        List.of(
                                generation(
                                        round(0, 100, OptionalDouble.of(2)),
                                        round(3, 200, OptionalDouble.of(5)),
                                        round(3, 220, OptionalDouble.of(6)))));
        assertThat(curve)
                .containsExactly(
                        new CostPoint(1, 1, 100, 1, OptionalDouble.of(2), Optional.empty()),
                        new CostPoint(4, 2, 210, 2.1, OptionalDouble.of(5.5), Optional.empty()));
        assertThat(Json.pretty(curve.getLast()))
                .contains("\"experts\" : 5.5")
                .doesNotContain("interval", "few");
    }

    /// Four prompts have a pass of two rows each, and one has a pass of three rows.
    @Test
    void pointsHaveIntervalsOfPromptsAndFewPassesAreMarked() {
        var none = OptionalDouble.empty();
        var curve =
                CostPoint.curve(
                        List.of(
                                generation(0, round(0, 100, none), round(1, 100, none)),
                                generation(1, round(0, 100, none), round(1, 120, none)),
                                generation(2, round(0, 100, none), round(1, 140, none)),
                                generation(
                                        3,
                                        round(0, 100, none),
                                        round(0, 100, none),
                                        round(1, 160, none),
                                        round(2, 300, none))));
        assertThat(curve.get(0).interval()).contains(Interval.of(100, 100, 100));
        assertThat(curve.get(0).few()).isFalse();
        var two = curve.get(1).interval().orElseThrow();
        assertThat(two.value()).isEqualTo(curve.get(1).meanNanos()).isEqualTo(130);
        assertThat(two.least()).isBetween(100., 115.);
        assertThat(two.most()).isBetween(145., 160.);
        assertThat(curve.get(1).few()).isTrue();
        assertThat(curve.get(2).interval()).isEmpty();
    }

    @Test
    void aTargetWithoutExpertsHasNone() {
        var curve = CostPoint.curve(List.of(generation(round(0, 100, OptionalDouble.empty()))));
        assertThat(curve.getFirst().experts()).isEmpty();
        assertThat(Json.pretty(curve.getFirst())).doesNotContain("experts");
    }

    private static RoundRecord round(int nodes, long pass, OptionalDouble experts) {
        return new RoundRecord(
                0, nodes, nodes, 0, false, 1, new StageTimes(0, pass, 0, 0, 0, 0), "", "", experts);
    }

    private static GenerationRecord generation(RoundRecord... rounds) {
        return generation(0, rounds);
    }

    private static GenerationRecord generation(int prompt, RoundRecord... rounds) {
        return new GenerationRecord(
                "plain",
                prompt,
                0,
                List.of(1),
                1,
                DecodeMetrics.none(),
                List.of(rounds),
                List.of(),
                0,
                List.of());
    }
}
