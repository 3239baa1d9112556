package dev.outrider.drafter.medusa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.Precision;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MedusaBenchTest {
    /// With a clock that moves one second whenever it is read, both sides take exactly one.
    @ParameterizedTest
    @EnumSource
    void bothSidesTakeTheirTurns(HeadPlan.Projection projection) {
        var turns = new AtomicInteger();
        var clock = new AtomicLong();
        var report =
                MedusaBench.run(
                        request(4, projection),
                        turns::incrementAndGet,
                        () -> clock.addAndGet(1_000_000_000));

        assertThat(report).isEqualTo(new HeadBench.Report(1, 1));
        assertThat(turns.get()).isEqualTo(1 + 4);
        // Four readings in a turn, three turns to warm up, which look at the clock before the first
        // and after the last.
        assertThat(clock.get()).isEqualTo(((3 + 4) * 4 + 2) * 1_000_000_000L);
    }

    @Test
    void theRatioIsADraftOverAPass() {
        assertThat(new HeadBench.Report(0.08, 0.004).ratio()).isEqualTo(0.05);
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> request(0, HeadPlan.Projection.OWN))
                .hasMessage("threads 1, context 8, heads 3, ranks 4 and turns 0 must be positive");
    }

    private static MedusaBench.Request request(int turns, HeadPlan.Projection projection) {
        return new MedusaBench.Request(Cycle.CONFIG, Precision.F32, 1, 8, 3, projection, 4, turns);
    }
}
