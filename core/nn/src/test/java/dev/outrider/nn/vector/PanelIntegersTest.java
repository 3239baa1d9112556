package dev.outrider.nn.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.integers.IntegerProducts;
import dev.outrider.nn.vector.QuantizedMatrix.PanelIntegers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PanelIntegersTest {
    private static final IntegerProducts PRODUCTS = new PanelIntegers();

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "3, 33, 40", "65, 200, 7", "130, 1025, 9", "64, 3000, 17"})
    void sumsAreThoseOfIntegers(int outputs, int columns, int rows) {
        var random = new Random(outputs + columns + rows);
        var weights = new byte[outputs][columns];
        var x = new byte[rows][columns];
        fill(weights, random);
        fill(x, random);
        assertThat(sums(weights, x)).isDeepEqualTo(naive(weights, x));
    }

    /// A float would not hold these.
    @Test
    void extremesStayExact() {
        var weights = new byte[2][5001];
        var x = new byte[1][5001];
        Arrays.fill(weights[0], (byte) 127);
        Arrays.fill(weights[1], (byte) -127);
        Arrays.fill(x[0], (byte) 127);
        x[0][5000] = 1;
        int sum = 5000 * 127 * 127 + 127;
        assertThat(sums(weights, x)).isDeepEqualTo(new int[][] {{sum, -sum}});
    }

    @Test
    void outputsComeBack() {
        try (var arena = Arena.ofConfined()) {
            var weights = new byte[70][45];
            fill(weights, new Random(5));
            var matrix = PRODUCTS.matrix(70, 45, arena);
            for (var output : weights) {
                matrix.add(output);
            }
            var read = new byte[45];
            for (int output : new int[] {69, 0, 33}) {
                matrix.read(output, read);
                assertThat(read).isEqualTo(weights[output]);
            }
        }
    }

    private static int[][] sums(byte[][] weights, byte[][] x) {
        int outputs = weights.length;
        int columns = x[0].length;
        int stride = Lanes.roundedUp(outputs, Lanes.PANEL);
        try (var arena = Arena.ofConfined()) {
            var matrix = PRODUCTS.matrix(outputs, columns, arena);
            for (var output : weights) {
                matrix.add(output);
            }
            var rows = arena.allocate((long) x.length * columns, 64);
            for (int row = 0; row < x.length; row++) {
                rows.asSlice((long) row * columns, columns).copyFrom(MemorySegment.ofArray(x[row]));
            }
            var sums = arena.allocate((long) x.length * stride * Integer.BYTES, 64);
            for (int part = 0; part < matrix.parts(); part++) {
                matrix.multiply(rows, x.length, sums, stride, part, part + 1);
            }
            var result = new int[x.length][outputs];
            for (int row = 0; row < x.length; row++) {
                for (int output = 0; output < outputs; output++) {
                    result[row][output] =
                            sums.getAtIndex(ValueLayout.JAVA_INT, (long) row * stride + output);
                }
            }
            return result;
        }
    }

    private static int[][] naive(byte[][] weights, byte[][] x) {
        var result = new int[x.length][weights.length];
        for (int row = 0; row < x.length; row++) {
            for (int output = 0; output < weights.length; output++) {
                for (int column = 0; column < x[row].length; column++) {
                    result[row][output] += x[row][column] * weights[output][column];
                }
            }
        }
        return result;
    }

    private static void fill(byte[][] rows, Random random) {
        for (var row : rows) {
            for (int column = 0; column < row.length; column++) {
                row[column] = (byte) random.nextInt(-127, 128);
            }
        }
    }
}
