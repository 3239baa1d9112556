package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.HeadPart;
import dev.outrider.nn.network.HeadPart.Weights;
import dev.outrider.nn.network.LinearWeights;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.nn.vector.VectorMath;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.device.RequiresDevice;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Heads without decoder layers compute the same on the device as on the processor, whatever their rows are run with.
@RequiresDevice
class HeadOnDeviceTest {
    private static final int SIZE = 44;
    private static final int VOCABULARY = 31;

    /// More than two runs of the device.
    private static final int ROWS = 19;

    private final Random random = new Random(7);

    @ParameterizedTest
    @CsvSource({
        "1, false, true, F32, 1e-4",
        "3, false, true, F32, 1e-4",
        "2, false, false, F32, 1e-4",
        "0, false, true, F32, 1e-4",
        "1, true, true, F32, 1e-4",
        "2, true, false, F32, 1e-4",
        "1, false, true, F16, 1e-4",
        "2, true, true, INT8, 1e-4",
        "1, false, true, INT4, 1e-4"
    })
    void computesWhatTheProcessorComputes(
            int blocks,
            boolean residual,
            boolean projection,
            WeightFormat format,
            double tolerance) {
        var weights = weights(blocks, residual, projection);
        int outputs = projection ? VOCABULARY : SIZE;
        try (var head = load(weights, format)) {
            for (int rows : new int[] {ROWS, 1, 8}) {
                var x = numbers(rows * weights.matrices().getFirst().columns());
                var actual = new float[rows * outputs];

                head.apply(x, rows, actual);

                assertClose(actual, onProcessor(weights, x, rows, format), tolerance);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"F32, 1e-4", "INT8, 1e-4"})
    void aTrainedHeadComputesWhatTheProcessorComputes(WeightFormat format, double tolerance) {
        var folder = Checkpoints.root().resolve("models/demo-medusa");
        try (var tensors = new Checkpoint(folder).openTensors()) {
            var block =
                    new LinearWeights(
                            "0.0.linear",
                            tensors.tensor("0.0.linear.weight", 256, 256).toFloats(),
                            256,
                            256,
                            Optional.of(tensors.tensor("0.0.linear.bias", 256).toFloats()));
            var projection =
                    new LinearWeights(
                            "0.1",
                            tensors.tensor("0.1.weight", 2048, 256).toFloats(),
                            2048,
                            256,
                            Optional.empty());
            var weights =
                    new Weights(List.of(block), Optional.empty(), Optional.of(projection));
            var x = numbers(ROWS * 256);
            var actual = new float[ROWS * 2048];
            try (var head = load(weights, format)) {
                head.apply(x, ROWS, actual);
            }
            assertClose(actual, onProcessor(weights, x, ROWS, format), tolerance);
        }
    }

    @Test
    void rowsDoNotDependOnTheirCompany() {
        int width = 3 * SIZE;
        var x = numbers(ROWS * width);
        var together = new float[ROWS * VOCABULARY];
        var alone = new float[VOCABULARY];
        try (var head = load(weights(2, true, true), WeightFormat.F32)) {
            head.apply(x, ROWS, together);
            for (int row = 0; row < ROWS; row++) {
                head.apply(Arrays.copyOfRange(x, row * width, (row + 1) * width), 1, alone);

                assertThat(alone)
                        .describedAs("row %d", row)
                        .isEqualTo(
                                Arrays.copyOfRange(
                                        together, row * VOCABULARY, (row + 1) * VOCABULARY));
            }
        }
    }

    @Test
    void aStateIsReplacedByItsResult() {
        var weights = weights(2, false, false);
        var state = numbers(SIZE);
        var expected = onProcessor(weights, state, 1, WeightFormat.F32);
        try (var head = load(weights, WeightFormat.F32)) {
            head.apply(state, 1, state);
        }
        assertClose(state, expected, 1e-4);
    }

    @Test
    void refusesByNameWhatDoesNotFitAGraph() {
        assertThatThrownBy(() -> load(weights(33, false, true), WeightFormat.F32))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("'drafter' needs")
                .hasMessageContaining("more blocks of a head than 32")
                .hasMessageContaining("Use the back end 'vector'.");
    }

    @Test
    void runsAsManyBlocksAsItAllows() {
        var weights = weights(32, true, true);
        var x = numbers(3 * SIZE);
        var actual = new float[VOCABULARY];
        try (var head = load(weights, WeightFormat.F32)) {
            head.apply(x, 1, actual);
        }
        assertClose(actual, onProcessor(weights, x, 1, WeightFormat.F32), 1e-3);
    }

    private static HeadPart load(Weights weights, WeightFormat format) {
        return new TornadoCode().loadHead("drafter", weights, format);
    }

    /// @param residual whether the first block reads `3 d` numbers and has R, as Hydra's second head
    private static Weights weights(int blocks, boolean residual, boolean projection) {
        int width = residual ? 3 * SIZE : SIZE;
        return new Weights(
                IntStream.range(0, blocks)
                        .mapToObj(block -> matrix("W" + block, SIZE, block == 0 ? width : SIZE))
                        .toList(),
                Optional.of("R").filter(_ -> residual).map(name -> matrix(name, SIZE, width)),
                Optional.of("head")
                        .filter(_ -> projection)
                        .map(name -> matrix(name, VOCABULARY, SIZE)));
    }

    /// Returns random numbers. The last block's matrix has no bias.
    private static LinearWeights matrix(String name, int rows, int columns) {
        var random = new Random(name.hashCode());
        var numbers = new float[rows * columns];
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = (float) (random.nextGaussian() / Math.sqrt(columns));
        }
        var bias = new float[rows];
        for (int index = 0; index < rows; index++) {
            bias[index] = (float) random.nextGaussian() / 2;
        }
        return new LinearWeights(
                name,
                numbers,
                rows,
                columns,
                name.equals("W1") ? Optional.empty() : Optional.of(bias));
    }

    private float[] numbers(int count) {
        var numbers = new float[count];
        for (int index = 0; index < count; index++) {
            numbers[index] = (float) random.nextGaussian();
        }
        return numbers;
    }

    private static float[] onProcessor(Weights head, float[] input, int rows, WeightFormat format) {
        float[] x = input;
        for (int block = 0; block < head.blocks().size(); block++) {
            var gate = product(head.blocks().get(block), x, rows, format);
            x =
                    block == 0 && head.residual().isPresent()
                            ? product(head.residual().get(), x, rows, format)
                            : x.clone();
            VectorMath.addSilu(x, gate);
        }
        return head.projection().isPresent()
                ? product(head.projection().get(), x, rows, format)
                : x;
    }

    private static float[] product(
            LinearWeights weights, float[] x, int rows, WeightFormat format) {
        var y = new float[rows * weights.rows()];
        try (var matrix = VectorLinear.of(weights, Precision.valueOf(format.name()))) {
            matrix.apply(x, rows, y);
        }
        return y;
    }

    private static void assertClose(float[] actual, float[] expected, double tolerance) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int index = 0; index < expected.length; index++) {
            float number = expected[index];
            assertThat(actual[index])
                    .describedAs("number %d", index)
                    .isCloseTo(number, within((float) (tolerance * Math.max(1, Math.abs(number)))));
        }
    }
}
