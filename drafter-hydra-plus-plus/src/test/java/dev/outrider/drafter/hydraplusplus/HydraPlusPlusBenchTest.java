package dev.outrider.drafter.hydraplusplus;

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
import org.junit.jupiter.params.provider.EnumSource;

class HydraPlusPlusBenchTest {
    private static final TimedTarget TARGET = new TimedTarget("stories260k", 1, Precision.F32, 8);

    private final AtomicLong clock = new AtomicLong();

    /// With a clock that moves one second whenever it is read, a draft takes as long as a pass.
    @ParameterizedTest
    @EnumSource
    void aDraftIsTimedAgainstAPass(Projection projection) {
        assertThat(new HydraPlusPlusBench.Bench().run(config(4, projection), watch()))
                .contains(
                        "draft / target pass                1.000",
                        "over 4 guesses, c                  0.250");
    }

    @Test
    void itsDraftsHaveACost() {
        var times = new HydraPlusPlusBench.Bench().times("hydra-plus-plus", TARGET, 2, watch());
        assertThat(times.step()).isEqualTo(0.5);
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> config(0, Projection.OWN))
                .hasMessage("length, layers and turns must be positive, got [0, 2, 2]");
    }

    private static HydraPlusPlusBench config(int length, Projection projection) {
        return new HydraPlusPlusBench(TARGET, length, 2, projection, 2);
    }

    private BenchWatch watch() {
        return new BenchWatch() {
            @Override
            public Runnable turns(int count) {
                return () -> {};
            }

            @Override
            public LongSupplier clock() {
                return () -> clock.addAndGet(1_000_000_000);
            }
        };
    }
}
