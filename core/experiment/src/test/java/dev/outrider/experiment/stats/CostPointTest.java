package dev.outrider.experiment.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.RoundRecord;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import java.util.List;
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
                        new CostPoint(1, 1, 100, 1, OptionalDouble.of(2)),
                        new CostPoint(4, 2, 210, 2.1, OptionalDouble.of(5.5)));
        assertThat(Json.pretty(curve.getLast())).contains("\"experts\" : 5.5");
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
        return new GenerationRecord(
                "plain",
                0,
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
