package dev.outrider.drafting.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.bench.NamedShapes;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.Precision;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class FeatureBenchTest {
    /// With a clock that moves one second whenever it is read, a pass takes one and so does a whole chain.
    @Test
    void bothSidesTakeTheirTurns() {
        var turns = new AtomicInteger();
        var clock = new AtomicLong();
        var report =
                FeatureBench.run(
                        request(5, 4),
                        turns::incrementAndGet,
                        () -> clock.addAndGet(1_000_000_000));

        assertThat(report.targetSeconds()).isEqualTo(1);
        assertThat(report.stepSeconds()).isEqualTo(1.0 / 5);
        assertThat(report.ratio()).isEqualTo(0.2);
        assertThat(turns.get()).isEqualTo(1 + 4);
    }

    @Test
    void aStepReadsOneLayerTheJoinAndAHead() {
        var shape = Objects.requireNonNull(NamedShapes.all().get("stories260k"));
        var report = FeatureBench.run(request(1, 1), () -> {}, System::nanoTime);

        long layer = 64 * 64 * 2 + 2 * 64 * 32 + 3 * 64 * 172 + 64;
        long join = 64 * 128;
        assertThat(report.stepBytes()).isEqualTo(4 * (layer + join + 512 * 64));
        assertThat(report.targetBytes()).isEqualTo(ModelBench.bytesPerPass(shape, 32, 4, 0));
        assertThat(report.bound()).isBetween(0.2, 0.6);
    }

    @Test
    void aDraftInOnePassIsTimedWhole() {
        var clock = new AtomicLong();
        var fusion = FusionConfig.of(FusionConfig.Join.EMBEDDING_FIRST, 64, 512);
        var times =
                OnePassBench.times(
                        new TimedTarget("stories260k", 1, Precision.F32, 8),
                        new OnePassBench.Draft(2, fusion, 3, 5),
                        4,
                        new BenchWatch() {
                            @Override
                            public Runnable turns(int count) {
                                return () -> {};
                            }

                            @Override
                            public LongSupplier clock() {
                                return () -> clock.addAndGet(1_000_000_000);
                            }
                        });

        assertThat(times).isEqualTo(new DraftTimes(1, 0));
        assertThatThrownBy(() -> new OnePassBench.Draft(1, fusion, 0, 5))
                .hasMessage("layers 1, fed 0 and length 5 must be positive");
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> request(0, 1))
                .hasMessage(
                        "layers 1, threads 1, context 8, length 0 and turns 1 must be positive");
        assertThatThrownBy(() -> request(600, 1))
                .hasMessage("context and length make 608 positions, the shape has 512");
    }

    private static FeatureBench.Request request(int length, int turns) {
        return new FeatureBench.Request(
                Objects.requireNonNull(NamedShapes.all().get("stories260k")),
                1,
                FusionConfig.of(FusionConfig.Join.EMBEDDING_FIRST, 64, 512),
                Precision.F32,
                1,
                8,
                length,
                turns);
    }
}
