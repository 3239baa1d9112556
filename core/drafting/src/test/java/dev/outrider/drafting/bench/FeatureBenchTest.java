package dev.outrider.drafting.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.Precision;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class FeatureBenchTest {
    private static final FusionConfig FUSION =
            FusionConfig.of(FusionConfig.Join.EMBEDDING_FIRST, 64, 512);
    private static final TimedTarget TARGET = new TimedTarget("stories260k", 1, Precision.F32, 8);

    private final AtomicLong clock = new AtomicLong();
    private final AtomicInteger turns = new AtomicInteger();

    /// With a clock that moves one second whenever it is read, a pass takes one second and so does a whole chain.
    @Test
    void bothSidesTakeTheirTurns() {
        var report = HeadBench.measure(FeatureTiming.chain("X", TARGET, FUSION, 5, 4), watch());

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
    void aStepReadsOneLayerTheJoinAndAHead() {
        long layer = 64 * 64 * 2 + 2 * 64 * 32 + 3 * 64 * 172 + 64;
        long join = 64 * 128;
        assertThat(FeatureTiming.stepBytes(TARGET, FUSION))
                .isEqualTo(4 * (layer + join + 512 * 64));
        assertThat(FeatureTiming.chain("X", TARGET, FUSION, 1, 1).bound().orElseThrow())
                .isBetween(0.2, 0.6);
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> FeatureTiming.chain("X", TARGET, FUSION, 0, 1))
                .hasMessage("length and turns must be positive, got [0, 1]");
        assertThatThrownBy(() -> FeatureTiming.chain("X", TARGET, FUSION, 600, 1))
                .hasMessage("context and draft make 608 positions, the shape has 512");
        assertThatThrownBy(() -> new TimedTarget("stories260k", 0, Precision.F32, 8))
                .hasMessage("threads and context must be positive, got [0, 8]");
    }

    private BenchWatch watch() {
        return new BenchWatch() {
            @Override
            public Runnable turns(int count) {
                return turns::incrementAndGet;
            }

            @Override
            public LongSupplier clock() {
                return () -> clock.addAndGet(1_000_000_000);
            }
        };
    }
}
