package dev.outrider.nn.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import com.sun.management.ThreadMXBean;
import dev.outrider.nn.network.LinearWeights;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.vector.Matrix.Linear;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class QuantizedMatrixTest {
    static Stream<Boolean> waysToMultiply() {
        return IntegerKernel.runs(PanelFormat.LEVELS.integers())
                ? Stream.of(false, true)
                : Stream.of(false);
    }

    static Stream<Arguments> sizes() {
        return waysToMultiply()
                .flatMap(kernels ->
                        Stream.of(
                                Arguments.of(5, 7, 1, kernels),
                                Arguments.of(40, 100, 3, kernels),
                                Arguments.of(100, 1500, 20, kernels),
                                Arguments.of(96, 1024, 2, kernels)));
    }

    /// As its definition has it, number by number.
    @ParameterizedTest
    @MethodSource("sizes")
    void productsAreThoseOfTheDefinition(int outputs, int columns, int rows, boolean kernels) {
        var random = new Random(outputs);
        float[] weights = numbers(outputs * columns, random);
        float[] x = numbers(rows * columns, random);
        float[] y = products(weights, outputs, columns, x, rows, kernels);
        for (int row = 0; row < rows; row++) {
            for (int output = 0; output < outputs; output++) {
                float scaleX = greatest(x, row * columns, columns) / 127;
                float scaleW = greatest(weights, output * columns, columns) / 127;
                int sum = 0;
                for (int column = 0; column < columns; column++) {
                    float inverse = 127 / greatest(x, row * columns, columns);
                    int a = (int) Math.rint(x[row * columns + column] * inverse);
                    sum += a * Math.round(weights[output * columns + column] / scaleW);
                }
                assertThat(y[row * outputs + output]).isEqualTo(sum * scaleX * scaleW);
            }
        }
    }

    /// A float would not hold these sums.
    @ParameterizedTest
    @MethodSource("waysToMultiply")
    void extremesStayExact(boolean kernels) {
        int columns = 5001;
        var weights = new float[2 * columns];
        Arrays.fill(weights, 0, columns, 127);
        Arrays.fill(weights, columns, 2 * columns, -127);
        var x = new float[columns];
        Arrays.fill(x, 127);
        x[columns - 1] = 1;
        float sum = 5000 * 127 * 127 + 127;
        assertThat(products(weights, 2, columns, x, 1, kernels)).containsExactly(sum, -sum);
    }

    @ParameterizedTest
    @MethodSource("waysToMultiply")
    void outputsComeBack(boolean kernels) {
        var weights = new float[70 * 45];
        for (int index = 0; index < weights.length; index++) {
            weights[index] = index % 45 == 0 ? 127 : index * 31 % 255 - 127;
        }
        try (var arena = Arena.ofShared()) {
            var matrix = filled(weights, 70, 45, kernels, arena);
            var read = new float[45];
            for (int output : new int[] {69, 0, 33}) {
                matrix.read(output, read, 0);
                assertThat(read)
                        .isEqualTo(Arrays.copyOfRange(weights, output * 45, (output + 1) * 45));
            }
        }
    }

    private static QuantizedMatrix filled(
            float[] weights, int outputs, int columns, boolean kernels, Arena arena) {
        var matrix = new QuantizedMatrix(outputs, columns, arena, kernels);
        var numbers = arena.allocateFrom(ValueLayout.JAVA_FLOAT, weights);
        matrix.fill(0, numbers);
        return matrix;
    }

    private static float[] products(
            float[] weights, int outputs, int columns, float[] x, int rows, boolean kernels) {
        var y = new float[rows * outputs];
        try (var arena = Arena.ofShared()) {
            var matrix = filled(weights, outputs, columns, kernels, arena);
            new Workspace().project(new Linear(matrix, Optional.empty()), x, rows, y);
        }
        return y;
    }

    /// Matrices lie outside the heap, which may be smaller than any of them.
    @Test
    void fillingTakesNoMoreOfTheHeapThanARow() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int outputs = 512;
        int columns = 2048;
        try (var arena = Arena.ofConfined()) {
            var rows = arena.allocate((long) outputs * columns * Float.BYTES, Float.BYTES);
            var matrix = new QuantizedMatrix(outputs, columns, arena, false);
            long before = threads.getCurrentThreadAllocatedBytes();
            matrix.fill(0, rows);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                    .isLessThan(rows.byteSize() / 4);
        }
    }

    @Test
    void zerosAndTheSmallestNumbersGiveZeros() {
        float[] weights = {1, -2, 0, 0, 3, 4};
        var y = new float[6];
        try (var matrix = matrix(weights, 3, 2)) {
            matrix.apply(new float[] {0, 0, Float.MIN_VALUE, 0}, 2, y);
        }
        assertThat(y).containsOnly(0);
    }

    /// An output of zeros has no scale.
    @Test
    void anOutputOfZerosStaysZero() {
        var y = new float[3];
        try (var matrix = matrix(new float[] {1, -2, 0, 0, 3, 4}, 3, 2)) {
            matrix.apply(new float[] {5, 5}, 1, y);
        }
        assertThat(y[0]).isNegative();
        assertThat(y[1]).isZero();
        assertThat(y[2]).isCloseTo(35, offset(0.3f));
    }

    private static VectorLinear matrix(float[] weights, int outputs, int columns) {
        return VectorLinear.of(
                new LinearWeights("W", weights, outputs, columns, Optional.empty()),
                Precision.W8A8);
    }

    private static float greatest(float[] numbers, int at, int count) {
        float most = 0;
        for (int index = at; index < at + count; index++) {
            most = Math.max(most, Math.abs(numbers[index]));
        }
        return most;
    }

    private static float[] numbers(int count, Random random) {
        var numbers = new float[count];
        for (int index = 0; index < count; index++) {
            numbers[index] = (float) random.nextGaussian();
        }
        return numbers;
    }
}
