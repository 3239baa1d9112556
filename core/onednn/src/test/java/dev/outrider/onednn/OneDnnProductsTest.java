package dev.outrider.onednn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.integers.IntegerProducts;
import dev.outrider.nn.integers.IntegerProducts.IntegerMatrix;
import dev.outrider.nn.vector.QuantizedMatrix.PanelIntegers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OneDnnProductsTest {
    private static final int STRIDE = 64;
    private static IntegerProducts products = new PanelIntegers();

    /// The library is for Linux. It serves where the processor has instructions for products of 8-bit integers (VNNI or AMX); without
    /// them its sums are not exact and it is refused.
    @BeforeAll
    static void serves() throws IOException {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "oneDNN is tested on Linux on x86-64");
        Assumptions.assumeTrue(
                Files.readString(Path.of("/proc/cpuinfo")).matches("(?s).*(vnni|amx_int8).*"),
                "this processor has neither VNNI nor AMX: oneDNN's sums are not exact, so it is refused");
        products = new OneDnnProvider().open();
        assertThat(products.name()).startsWith("oneDNN 3.");
    }

    @Test
    void isFoundAsAService() {
        assertThat(ServiceLoader.load(IntegerProducts.Provider.class))
                .anyMatch(provider -> provider instanceof OneDnnProvider);
    }

    /// Rows beyond one multiplication's, outputs that fill no part, columns that fill no block.
    @ParameterizedTest
    @CsvSource({
        "1, 1, 1",
        "3, 33, 2",
        "65, 200, 7",
        "130, 1025, 9",
        "64, 3000, 16",
        "700, 64, 64",
        "200, 96, 65",
        "97, 31, 150"
    })
    void sumsAreJavas(int outputs, int columns, int rows) {
        try (var arena = Arena.ofConfined()) {
            var random = new Random(outputs + columns + rows);
            var ours = products.matrix(outputs, columns, arena);
            var javas = new PanelIntegers().matrix(outputs, columns, arena);
            var levels = new ArrayList<byte[]>();
            for (int output = 0; output < outputs; output++) {
                var row = levels(columns, random);
                levels.add(row);
                ours.add(row);
                javas.add(row);
            }
            var x = arena.allocate((long) rows * columns, STRIDE);
            x.copyFrom(MemorySegment.ofArray(levels(rows * columns, random)));
            assertThat(sums(ours, x, outputs, rows, arena))
                    .isEqualTo(sums(javas, x, outputs, rows, arena));

            var read = new byte[columns];
            for (int output = outputs - 1; output >= 0; output--) {
                ours.read(output, read);
                assertThat(read).isEqualTo(levels.get(output));
            }
        }
    }

    @Test
    void threadsMultiplyAtATime() throws Exception {
        try (var arena = Arena.ofShared();
                var threads = Executors.newFixedThreadPool(4)) {
            var random = new Random(3);
            var matrix = products.matrix(128, 500, arena);
            for (int output = 0; output < 128; output++) {
                matrix.add(levels(500, random));
            }
            var x = arena.allocate(5 * 500, STRIDE);
            x.copyFrom(MemorySegment.ofArray(levels(5 * 500, random)));
            var expected = sums(matrix, x, 128, 5, arena);
            var tasks = new ArrayList<Callable<List<Integer>>>();
            for (int task = 0; task < 200; task++) {
                tasks.add(() -> sums(matrix, x, 128, 5, arena));
            }
            for (var result : threads.invokeAll(tasks)) {
                assertThat(result.get()).isEqualTo(expected);
            }
        }
    }

    private static List<Integer> sums(
            IntegerMatrix matrix, MemorySegment x, int outputs, int rows, Arena arena) {
        int stride = Math.ceilDiv(outputs, STRIDE) * STRIDE;
        var sums = arena.allocate((long) rows * stride * Integer.BYTES, STRIDE);
        for (int part = 0; part < matrix.parts(); part++) {
            matrix.multiply(x, rows, sums, stride, part, part + 1);
        }
        var result = new ArrayList<Integer>();
        for (int row = 0; row < rows; row++) {
            for (int output = 0; output < outputs; output++) {
                result.add(sums.getAtIndex(ValueLayout.JAVA_INT, (long) row * stride + output));
            }
        }
        return result;
    }

    private static byte[] levels(int count, Random random) {
        var levels = new byte[count];
        for (int index = 0; index < count; index++) {
            levels[index] = (byte) random.nextInt(-127, 128);
        }
        return levels;
    }
}
