package dev.outrider.drafter.medusa;

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

class MedusaBenchTest {
    private final AtomicLong clock = new AtomicLong();

    /// With a clock that moves one second whenever it is read, a draft takes as long as a pass.
    @ParameterizedTest
    @EnumSource
    void aDraftIsTimedAgainstAPass(Projection projection) {
        assertThat(new MedusaBench.Bench().run(config(3, projection), watch()))
                .contains("draft / target pass                1.000")
                .contains("3 heads, ");
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> config(0, Projection.OWN))
                .hasMessage("heads and turns must be positive, got [0, 2]");
    }

    private static MedusaBench config(int heads, Projection projection) {
        var target = new TimedTarget("stories260k", 1, Precision.F32, 8);
        return new MedusaBench(target, heads, projection, 2);
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
