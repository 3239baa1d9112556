package dev.outrider.nn.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Experts;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.vector.Matrix.Linear;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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

    private static final DecoderConfig EXPERTS =
            CONFIG.toBuilder()
                    .hiddenSize(64)
                    .headSize(32)
                    .intermediateSize(32)
                    .tiedHead(false)
                    .form(
                            BlockForm.mixture(
                                    new Experts(
                                            3,
                                            2,
                                            32,
                                            true,
                                            false,
                                            OptionalInt.of(32),
                                            1,
                                            Set.of())))
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
            var weights = new Weights(CONFIG, source, Precision.F32, RowPrecision.INT8, arena);
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

    @Test
    void noLayerIsBegunAfterAFailure() {
        var many = CONFIG.toBuilder().layers(40).build();
        var failure = new OutOfMemoryError("full");
        var begun = new AtomicInteger();
        WeightSource source =
                (_, _, _) -> {
                    begun.incrementAndGet();
                    throw failure;
                };
        try (var arena = Arena.ofShared();
                var pool = new ForkJoinPool(1)) {
            var weights = new Weights(many, source, Precision.F32, RowPrecision.INT8, arena);

            assertThat(pool.submit(() -> catchThrowable(weights::layers)).join()).isSameAs(failure);
            assertThat(begun).hasValue(1);
        }
    }

    /// A file that has some matrices in four bits.
    private record SomeInFourBits(DecoderConfig config, Set<Weight> some) implements WeightSource {
        @Override
        public Optional<FileMatrix> stored(Weight weight, int layer, Precision kept) {
            if (!some.contains(weight)) {
                return Optional.empty();
            }
            long[] shape = weight.shape(config, layer);
            return Optional.of(
                    RandomBlocks.of(
                            TensorType.Q4_0, (int) shape[0], (int) shape[1], weight.ordinal()));
        }

        @Override
        public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
            new RandomWeights(config, 1, 1).read(weight, layer, reader);
        }
    }

    @Test
    void whatScoresExpertsMultipliesRowsAsTheyAre() {
        try (var arena = Arena.ofShared()) {
            var exact = mixture(RowPrecision.F32, arena);
            var rounded = mixture(RowPrecision.INT8, arena);
            var x = new float[3 * 64];
            var random = new Random(8);
            for (int index = 0; index < x.length; index++) {
                x[index] = (float) random.nextGaussian();
            }

            assertThat(products(rounded.router().matrix(), x))
                    .isEqualTo(products(exact.router().matrix(), x));
            assertThat(products(rounded.shared().orElseThrow().openingGate().matrix(), x))
                    .isEqualTo(products(exact.shared().orElseThrow().openingGate().matrix(), x));
            assertThat(products(rounded.experts().getFirst().gateUp().matrix(), x))
                    .isNotEqualTo(products(exact.experts().getFirst().gateUp().matrix(), x));
        }
    }

    private static Mixture mixture(RowPrecision rows, Arena arena) {
        var some =
                Set.of(
                        Weight.ROUTER,
                        Weight.SHARED_EXPERT_GATE,
                        Weight.EXPERT_GATE,
                        Weight.EXPERT_UP);
        var source = new SomeInFourBits(EXPERTS, some);
        return new Weights(EXPERTS, source, Precision.BF16, rows, arena)
                .layers()
                .getFirst()
                .mixture()
                .orElseThrow();
    }

    @Test
    void formatsNameRoundedRowsWhereverAMatrixHasThem() {
        for (var some :
                List.of(
                        Set.of(Weight.HEAD),
                        Set.of(Weight.QUERY, Weight.KEY, Weight.VALUE),
                        Set.of(Weight.OUTPUT),
                        Set.of(Weight.EXPERT_GATE, Weight.EXPERT_UP),
                        Set.of(Weight.EXPERT_DOWN),
                        Set.of(Weight.SHARED_GATE, Weight.SHARED_UP),
                        Set.of(Weight.SHARED_DOWN))) {
            assertThat(formats(some, RowPrecision.INT8)).isEqualTo("bf16, int8 rows");
            assertThat(formats(some, RowPrecision.F32)).isEqualTo("bf16");
        }
        for (var some :
                List.of(
                        Set.<Weight>of(),
                        Set.of(Weight.EMBEDDING),
                        Set.of(Weight.ROUTER, Weight.SHARED_EXPERT_GATE))) {
            assertThat(formats(some, RowPrecision.INT8)).isEqualTo("bf16");
        }
    }

    private static String formats(Set<Weight> some, RowPrecision rows) {
        var source = new SomeInFourBits(EXPERTS, some);
        try (var network = new VectorNetwork(EXPERTS, source, Precision.BF16, rows)) {
            return network.formats();
        }
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void rowsThatWereNotStoredAreZerosWhereAMatrixSaysSo(Precision precision) {
        int outputs = 77;
        int columns = 150;
        var numbers = new float[outputs * columns];
        Arrays.fill(numbers, 0, 3 * columns, 0.5f);
        var rows = MemorySegment.ofArray(numbers);
        try (var arena = Arena.ofShared()) {
            var whole = Matrix.of(precision, RowPrecision.F32, outputs, columns, arena);
            whole.fill(0, rows);
            var some = Matrix.of(precision, RowPrecision.F32, outputs, columns, arena);
            some.fill(0, rows.asSlice(0, 3L * columns * Float.BYTES));

            assertThat(some.zeroed()).isEqualTo(precision.bits() % Short.SIZE == 0);
            if (some.zeroed()) {
                assertThat(weights(some)).isEqualTo(weights(whole));
                assertThat(products(some, numbers)).isEqualTo(products(whole, numbers));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void someRowsAfterOthersMakeTheWholeMatrix(Precision precision) {
        int outputs = 77;
        int columns = 150;
        var random = new Random(6);
        var numbers = new float[outputs * columns];
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = (float) random.nextGaussian();
        }
        var rows = MemorySegment.ofArray(numbers);
        try (var arena = Arena.ofShared()) {
            var whole = Matrix.of(precision, RowPrecision.INT8, outputs, columns, arena);
            whole.fill(0, rows);
            var pieces = Matrix.of(precision, RowPrecision.INT8, outputs, columns, arena);
            long row = (long) columns * Float.BYTES;
            int first = 0;
            for (int count : new int[] {1, 2, 16, 30, 28}) {
                pieces.fill(first, rows.asSlice(first * row, count * row));
                first += count;
            }

            assertThat(first).isEqualTo(outputs);
            assertThat(weights(pieces)).isEqualTo(weights(whole));
            assertThat(products(pieces, numbers)).isEqualTo(products(whole, numbers));
        }
    }

    private static float[] weights(Matrix matrix) {
        var all = new float[matrix.outputs() * matrix.columns()];
        for (int output = 0; output < matrix.outputs(); output++) {
            matrix.read(output, all, output * matrix.columns());
        }
        return all;
    }

    /// Products of three rows.
    private static float[] products(Matrix matrix, float[] numbers) {
        var y = new float[3 * matrix.outputs()];
        var x = Arrays.copyOf(numbers, 3 * matrix.columns());
        new Workspace().project(new Linear(matrix, Optional.empty()), x, 3, y);
        return y;
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
