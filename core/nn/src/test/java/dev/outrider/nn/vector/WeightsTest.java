package dev.outrider.nn.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.Arena;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// How weights get from a source into matrices.
class WeightsTest {
    private static final DecoderConfig CONFIG =
            DecoderConfig.builder()
                    .vocabularySize(9)
                    .hiddenSize(8)
                    .intermediateSize(12)
                    .layers(2)
                    .heads(2)
                    .keyValueHeads(1)
                    .maxPositions(8)
                    .tiedHead(true)
                    .build();

    static Stream<Throwable> failures() {
        return Stream.of(
                new OutriderException(ErrorCode.CHECKPOINT_INCOMPLETE, "half", "Get the rest."),
                new OutOfMemoryError("full"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aFailureComesOutAsItIsAfterAllLayersHaveEnded(Throwable failure) {
        var begun = new CountDownLatch(1);
        var returned = new CountDownLatch(1);
        var ended = new AtomicBoolean();
        WeightSource source =
                (weight, layer, reader) -> {
                    if (layer == 0) {
                        await(begun, 60_000);
                        WeightsTest.<RuntimeException>fail(failure);
                    }
                    begun.countDown();
                    if (weight == Weight.DOWN) {
                        await(returned, 200);
                        ended.set(true);
                    }
                    new RandomWeights(CONFIG, 1, 1).read(weight, layer, reader);
                };
        try (var arena = Arena.ofShared();
                var pool = new ForkJoinPool(2)) {
            var weights = new Weights(CONFIG, source, Precision.F32, arena);
            var outcome =
                    pool.submit(
                                    () -> {
                                        var thrown = catchThrowable(weights::layers);
                                        assertThat(ended).isTrue();
                                        returned.countDown();
                                        return thrown;
                                    })
                            .join();

            assertThat(outcome).isSameAs(failure);
        }
    }

    private static void await(CountDownLatch event, long milliseconds) {
        try {
            boolean _ = event.await(milliseconds, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void fail(Throwable failure) throws T {
        throw (T) failure;
    }
}
