package dev.outrider.nn.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import com.sun.management.ThreadMXBean;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.vector.QuantizedMatrix.IntegerEngine;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantizedMatrixTest {
    /// As its definition has it, number by number.
    @ParameterizedTest
    @CsvSource({"5, 7, 1", "40, 100, 3", "100, 1500, 20"})
    void productsAreThoseOfTheDefinition(int outputs, int columns, int rows) {
        var random = new Random(outputs);
        float[] weights = numbers(outputs * columns, random);
        float[] x = numbers(rows * columns, random);
        var y = new float[rows * outputs];
        try (var matrix = matrix(weights, outputs, columns)) {
            matrix.apply(x, rows, y);
        }
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

    /// Matrices lie outside the heap, which may be smaller than any of them.
    @Test
    void fillingTakesNoMoreOfTheHeapThanARow() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int outputs = 512;
        int columns = 2048;
        try (var arena = Arena.ofConfined()) {
            var rows = arena.allocate((long) outputs * columns * Float.BYTES, Float.BYTES);
            var matrix = new QuantizedMatrix(IntegerEngine.best(), outputs, columns, arena);
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
        return VectorLinear.of("W", weights, outputs, columns, Precision.W8A8, Optional.empty());
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
