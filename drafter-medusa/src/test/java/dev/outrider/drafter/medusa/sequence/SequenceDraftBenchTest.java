package dev.outrider.drafter.medusa.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.Projection;
import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.nn.network.Precision;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SequenceDraftBenchTest {
    /// With a clock that moves one second whenever it is read, a draft takes as long as a pass.
    @ParameterizedTest
    @CsvSource({"HYDRA, OWN", "HYDRA, TARGET", "REDRAFTER, OWN", "REDRAFTER, TARGET"})
    void aDraftIsTimedAgainstAPass(SequenceBench.Kind kind, Projection projection) {
        var clock = new AtomicLong();
        var report =
                new SequenceBench.Bench()
                        .run(
                                config(kind, 4, projection),
                                watch(() -> clock.addAndGet(1_000_000_000)));

        assertThat(report)
                .contains(
                        "draft / target pass                1.000",
                        "over 4 guesses, c                  0.250");
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> config(SequenceBench.Kind.HYDRA, 0, Projection.OWN))
                .hasMessage("length, layers and turns must be positive, got [0, 1, 2]");
    }

    private static SequenceBench config(
            SequenceBench.Kind kind, int length, Projection projection) {
        var target = new TimedTarget("stories15m", 1, Precision.BF16, 8);
        return new SequenceBench(target, kind, length, 1, projection, 2);
    }

    private static BenchWatch watch(LongSupplier clock) {
        return new BenchWatch() {
            @Override
            public Runnable turns(int count) {
                return () -> {};
            }

            @Override
            public LongSupplier clock() {
                return clock;
            }
        };
    }
}
