package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.experiment.results.MeasuredDrafts;
import dev.outrider.nn.bench.BenchReport;
import dev.outrider.nn.network.Precision;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class DraftsAtShapeTest {
    private static final BenchModelCommand.DraftsAtShape DRAFTS =
            new BenchModelCommand.DraftsAtShape(
                    List.of(
                            new MeasuredDrafts("wide", 27.6, 1.8, .7),
                            new MeasuredDrafts("narrow", 4, 1.5, 1.25)));

    @Test
    void aRoundMustEmitWhatItsPassCosts() {
        var passes =
                new BenchReport(
                        "tiny",
                        Precision.F32,
                        1,
                        8,
                        1,
                        1,
                        1,
                        1,
                        1,
                        1,
                        "engine",
                        List.of(line(1, .010), line(4, .012), line(28, .020)));

        assertThat(DRAFTS.rows()).containsExactly(1, 4, 28);
        assertThat(DRAFTS.table(passes).lines().toList())
                .contains(
                        "variant  rows  must emit  emits  speedup         measured",
                        "wide       28       2.00   1.80    0.90x  loses     0.70x",
                        "narrow      4       1.20   1.50    1.25x   pays     1.25x");
    }

    private static BenchReport.Line line(int rows, double seconds) {
        return new BenchReport.Line(rows, seconds, seconds, 1, seconds, 0, OptionalDouble.empty());
    }
}
