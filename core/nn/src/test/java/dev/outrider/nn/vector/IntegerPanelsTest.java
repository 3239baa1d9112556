package dev.outrider.nn.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.checkpoint.FileMatrix.BlockMatrix;
import dev.outrider.nn.checkpoint.GroupedMatrix;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.gguf.WeightBlock;
import dev.outrider.nn.vector.BlockFormat.Kind;
import dev.outrider.nn.vector.Matrix.Linear;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Blocks multiply rows in eight bits as plain loops over the integers do, to the last bit.
class IntegerPanelsTest {
    private static final int OUTPUTS = 2 * Lanes.PANEL + 5;
    private static final int COLUMNS = 768;

    static Stream<TensorType> types() {
        return RandomBlocks.types().stream()
                .filter(type -> PanelFormat.of(type).orElseThrow().forIntegers().isPresent());
    }

    @Test
    void formatsOfFloatsAreNone() {
        assertThat(Arrays.stream(PanelFormat.values()))
                .filteredOn(format -> format.forIntegers().isEmpty())
                .containsExactly(
                        PanelFormat.F32,
                        PanelFormat.BF16,
                        PanelFormat.F16,
                        PanelFormat.E4M3_32,
                        PanelFormat.E4M3_64,
                        PanelFormat.E4M3_128,
                        PanelFormat.MXFP4);
    }

    @ParameterizedTest
    @MethodSource("types")
    void productsAreThoseOfPlainLoops(TensorType type) {
        try (var arena = Arena.ofShared()) {
            check(RandomBlocks.of(type, OUTPUTS, COLUMNS, type.ordinal()), OUTPUTS, COLUMNS, arena);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "awq4-g32",
                "gptq4-g64-v2",
                "packed4-g128",
                "gptq8",
                "packed8",
                "packed8-g64"
            })
    void productsOfCheckpointsInFewBitsAreThoseOfPlainLoops(String form) throws URISyntaxException {
        var directory =
                new Checkpoint(Path.of(getClass().getResource("/quantised/" + form).toURI()));
        var kept = ModelConfig.read(directory).quantisation().orElseThrow();
        try (var tensors = directory.openTensors();
                var arena = Arena.ofShared()) {
            var name = "model.layers.0.mlp.down_proj.weight";
            check(GroupedMatrix.of(tensors, name, kept, 64, 192), 64, 192, arena);
        }
    }

    /// The largest sums that 16 bits, or floats, have to hold.
    @ParameterizedTest
    @MethodSource("types")
    void productsOfTheGreatestCodesAndLevelsAreThoseOfPlainLoops(TensorType type) {
        int columns = 256;
        int outputs = Lanes.PANEL + 5;
        try (var arena = Arena.ofShared()) {
            for (int[] codes : new int[][] {{0, 0}, {0xff, 0xff}, {0, 0xff}}) {
                var matrix = RandomBlocks.of(type, outputs, columns, 4);
                fill(matrix, codes[0], codes[1]);
                for (float[] levels : new float[][] {{127, 127}, {-127, -127}, {-127, 127}}) {
                    check(
                            matrix,
                            outputs,
                            columns,
                            rows -> repeated(levels, rows * columns),
                            arena);
                }
            }
        }
    }

    private static float[] repeated(float[] numbers, int count) {
        var all = new float[count];
        for (int index = 0; index < count; index++) {
            all[index] = numbers[index % numbers.length];
        }
        return all;
    }

    /// Sets all codes, those of odd columns to others.
    ///
    /// @param even bits of the codes in even columns, all 0 or all 1
    private static void fill(BlockMatrix matrix, int even, int odd) {
        var type = matrix.type();
        int start =
                switch (type) {
                    case Q4_0, Q5_0, Q8_0 -> 2;
                    case Q4_1, Q5_1 -> 4;
                    case Q2_K, Q4_K, Q5_K -> 16;
                    case Q3_K, Q6_K -> 0;
                    default -> throw new IllegalArgumentException(type.name());
                };
        var blocks = type.blocks().orElseThrow();
        int end =
                switch (type) {
                    case Q2_K -> 80;
                    case Q3_K -> 96;
                    case Q6_K -> 192;
                    default -> (int) blocks.bytes();
                };
        // Here the fifth bits of the columns are side by side.
        int fifths = type == TensorType.Q5_0 || type == TensorType.Q5_1 ? Integer.BYTES : 0;
        var data = matrix.tensor().data();
        for (long block = 0; block < data.byteSize(); block += blocks.bytes()) {
            for (int at = start; at < end; at++) {
                int bits = at % 2 == 0 ? even : odd;
                if (at < start + fifths) {
                    bits = even & 0x55 | odd & 0xaa;
                }
                data.set(
                        ValueLayout.JAVA_BYTE,
                        block + at,
                        (byte) (type == TensorType.Q8_0 ? bits ^ 0x80 : bits));
            }
        }
        var read = new WeightBlock();
        matrix.read(0, 0, read);
        for (int column = 0; column < blocks.block(); column++) {
            assertThat(read.levels()[column]).isEqualTo(read.levels()[column % 2]);
        }
        assertThat(read.levels()[0] == read.levels()[1]).isEqualTo(even == odd);
    }

    /// The greatest codes with zero points at both ends.
    @ParameterizedTest
    @ValueSource(ints = {32, 64, 128})
    void greatCodesWithZeroPointsAreThoseOfPlainLoops(int group) {
        var format = PanelFormat.valueOf("BYTE_" + group);
        var layout = format.integers();
        int outputs = Lanes.PANEL;
        int columns = 256;
        try (var arena = Arena.ofShared()) {
            for (int[] codeAndZero : new int[][] {{0, 255}, {255, 0}, {255, 255}, {128, 127}}) {
                var panels = new IntegerPanels(List.of(format), List.of(outputs), columns, arena);
                var block = new WeightBlock();
                Arrays.fill(block.levels(), (byte) codeAndZero[0]);
                block.setScale32(0.5f, codeAndZero[1]);
                for (int column = 0; column < columns; column += group) {
                    for (int lane = 0; lane < outputs; lane++) {
                        var panel = panels.panels();
                        layout.keep(block, panel.memory(), panel.from(0, column), lane);
                    }
                }
                var x = repeated(new float[] {127}, 9 * columns);
                float each = (codeAndZero[0] - codeAndZero[1]) * 0.5f;
                assertThat(products(panels, x, 9)).containsOnly(each * 127 * columns);
                var read = new float[columns];
                panels.read(outputs - 1, read, 0);
                assertThat(read).containsOnly(each);
            }
        }
    }

    /// Columns beyond a matrix's last one count as zeros.
    @ParameterizedTest
    @EnumSource(names = {"INT4", "INT8"})
    void productsOfAnOddNumberOfColumnsAreThoseOfAPaddedMatrix(PanelFormat format) {
        int columns = 75;
        int padded = 96;
        var random = new Random(columns);
        var numbers = new float[OUTPUTS * columns];
        var paddedNumbers = new float[OUTPUTS * padded];
        var x = new float[9 * columns];
        var paddedX = new float[9 * padded];
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = (float) random.nextGaussian();
            paddedNumbers[index / columns * padded + index % columns] = numbers[index];
        }
        for (int index = 0; index < x.length; index++) {
            x[index] = (float) random.nextGaussian();
            paddedX[index / columns * padded + index % columns] = x[index];
        }
        try (var arena = Arena.ofShared()) {
            var odd = new IntegerPanels(List.of(format), List.of(OUTPUTS), columns, arena);
            odd.fill(0, MemorySegment.ofArray(numbers));
            var whole = new IntegerPanels(List.of(format), List.of(OUTPUTS), padded, arena);
            whole.fill(0, MemorySegment.ofArray(paddedNumbers));
            for (int rows = 1; rows <= 9; rows++) {
                var expected = products(whole, Arrays.copyOf(paddedX, rows * padded), rows);
                assertThat(products(odd, Arrays.copyOf(x, rows * columns), rows))
                        .isEqualTo(expected);
            }
            assertThat(products(odd, x, 1)).doesNotContain(0);
        }
    }

    private static void check(FileMatrix matrix, int outputs, int columns, Arena arena) {
        check(matrix, outputs, columns, rows -> rows(rows, columns), arena);
    }

    private static void check(
            FileMatrix matrix,
            int outputs,
            int columns,
            IntFunction<float[]> numbersOf,
            Arena arena) {
        var format = PanelFormat.of(matrix).orElseThrow();
        var panels = new IntegerPanels(List.of(format), List.of(outputs), columns, arena);
        panels.fill(0, matrix);
        var numbers = new float[columns];
        var read = new float[columns];
        for (int output = 0; output < outputs; output++) {
            matrix.numbers(output, numbers);
            panels.read(output, read, 0);
            assertThat(read).isEqualTo(numbers);
        }
        for (int rows : new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 15}) {
            var x = numbersOf.apply(rows);
            var expected = new float[rows * outputs];
            for (int row = 0; row < rows; row++) {
                for (int output = 0; output < outputs; output++) {
                    expected[row * outputs + output] =
                            product(matrix, output, format.blocks(), x, row * columns);
                }
            }
            assertThat(products(panels, x, rows)).isEqualTo(expected);
        }
    }

    /// Rows of different sizes, with zeros and numbers between two levels.
    private static float[] rows(int rows, int columns) {
        var random = new Random(rows);
        var x = new float[rows * columns];
        for (int index = 0; index < x.length; index++) {
            x[index] = (float) random.nextGaussian() * (1 << index % columns / 100);
        }
        Arrays.fill(x, 0, Math.min(96, columns), 0);
        x[1] = 127;
        x[2] = 0.5f;
        x[3] = -1.5f;
        return x;
    }

    private static float[] products(Matrix matrix, float[] x, int rows) {
        var y = new float[rows * matrix.outputs()];
        new Workspace().project(new Linear(matrix, Optional.empty()), x, rows, y);
        return y;
    }

    /// The definition, in plain loops.
    private static float product(
            FileMatrix matrix, int output, BlockFormat format, float[] x, int at) {
        var block = new WeightBlock();
        int step = Math.min(32, format.group());
        float sum = 0;
        for (int first = 0; first < matrix.columns(); first += step) {
            matrix.read(output, first / format.columns(), block);
            float most = 0;
            for (int column = first / 32 * 32; column < first / 32 * 32 + 32; column++) {
                most = Math.max(most, Math.abs(x[at + column]));
            }
            float scale = most / 127;
            int products = 0;
            int levels = 0;
            for (int column = first; column < first + step; column++) {
                int level = most == 0 ? 0 : (int) Math.rint(x[at + column] * (127 / most));
                int code = block.levels()[column % format.columns()];
                if (format.kind() == Kind.POINT) {
                    code = (code & 0xff) - block.zero();
                }
                products += code * level;
                levels += level;
            }
            int group = first % format.columns() / format.group();
            float unit = Float.float16ToFloat(block.unit());
            float own =
                    format.kind() == Kind.POINT
                            ? block.scale()
                            : format.inBlock() == 1 ? unit : unit * block.scale(group);
            sum = Math.fma(products * scale, own, sum);
            if (format.kind() == Kind.OFFSET) {
                float offset = Float.float16ToFloat(block.offsetUnit());
                sum =
                        format.inBlock() == 1
                                ? Math.fma(levels * scale, offset, sum)
                                : Math.fma(-(levels * scale), offset * block.offset(group), sum);
            }
        }
        return sum;
    }

    /// Where kernels multiply too.
    @ParameterizedTest
    @EnumSource(names = {"INT4", "INT8"})
    void aClosedMatrixIsRefused(PanelFormat format) {
        var arena = Arena.ofShared();
        var panels = new IntegerPanels(List.of(format), List.of(OUTPUTS), COLUMNS, arena);
        arena.close();
        assertThatThrownBy(() -> products(panels, rows(1, COLUMNS), 1))
                .isInstanceOf(IllegalStateException.class);
    }

    /// A kernel that reads memory after it was returned to the system ends the process.
    @ParameterizedTest
    @EnumSource(names = {"INT4", "INT8"})
    void aMatrixDoesNotCloseWhileAKernelReadsIt(PanelFormat format) throws InterruptedException {
        Assumptions.assumeTrue(
                IntegerKernel.runs(format.integers()), "kernels run on Linux and x86-64");
        int refused = 0;
        for (int round = 0; round < 50 && refused == 0; round++) {
            var arena = Arena.ofShared();
            var panels = new IntegerPanels(List.of(format), List.of(1024), 4096, arena);
            var x = new float[9 * 4096];
            var started = new CountDownLatch(1);
            var ended = new CompletableFuture<Throwable>();
            var thread =
                    new Thread(() -> {
                        try {
                            while (true) {
                                products(panels, x, 9);
                                started.countDown();
                            }
                        } catch (RuntimeException e) {
                            ended.complete(e);
                        }
                    });
            thread.start();
            started.await();
            Thread.sleep(1); // to no fixed place of a product
            while (arena.scope().isAlive()) {
                try {
                    arena.close();
                } catch (IllegalStateException e) {
                    refused++;
                }
            }
            thread.join();

            assertThat(ended.join()).isInstanceOf(IllegalStateException.class);
        }
        assertThat(refused).isPositive();
    }

    @Test
    void rowsOfTooFewColumnsAreRefused() {
        try (var arena = Arena.ofShared()) {
            var format = PanelFormat.INT8;
            var panels = new IntegerPanels(List.of(format), List.of(OUTPUTS), COLUMNS, arena);
            var workspace = new Workspace();
            workspace.input.take(new float[256], 0, 256, 1, 256);
            workspace.enter();
            try {
                var y = new float[panels.stride()];
                assertThatThrownBy(() -> panels.multiply(workspace.input, y, workspace))
                        .isInstanceOf(RuntimeException.class);
            } finally {
                workspace.leave();
            }
        }
    }

    /// Matrices whose outputs do not begin where a panel does.
    @ParameterizedTest
    @MethodSource("types")
    void eachPartKeepsItsFormatAndProducts(TensorType type) {
        var first = RandomBlocks.of(type, Lanes.PANEL + 3, COLUMNS, 1);
        var second = RandomBlocks.of(TensorType.Q4_0, Lanes.PANEL, COLUMNS, 2);
        int outputs = 2 * Lanes.PANEL + 3;
        try (var arena = Arena.ofShared()) {
            var own = PanelFormat.of(type).orElseThrow();
            var both =
                    new IntegerPanels(
                            List.of(own, PanelFormat.INT4),
                            List.of(Lanes.PANEL + 3, Lanes.PANEL),
                            COLUMNS,
                            arena);
            both.fill(0, first);
            both.fill(Lanes.PANEL + 3, second);
            var x = rows(3, COLUMNS);
            var products = products(both, x, 3);
            for (int output = 0; output < outputs; output++) {
                boolean inFirst = output < Lanes.PANEL + 3;
                var matrix = inFirst ? first : second;
                int within = inFirst ? output : output - Lanes.PANEL - 3;
                var format = (inFirst ? own : PanelFormat.INT4).blocks();
                assertThat(products[2 * outputs + output])
                        .isEqualTo(product(matrix, within, format, x, 2 * COLUMNS));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void aRowIsTheSameAloneAndInCompany(TensorType type) {
        try (var arena = Arena.ofShared()) {
            var format = PanelFormat.of(type).orElseThrow();
            var panels = new IntegerPanels(List.of(format), List.of(OUTPUTS), COLUMNS, arena);
            panels.fill(0, RandomBlocks.of(type, OUTPUTS, COLUMNS, 3));
            var x = rows(15, COLUMNS);
            var together = products(panels, x, 15);
            for (int row = 0; row < 15; row++) {
                var alone = Arrays.copyOfRange(x, row * COLUMNS, (row + 1) * COLUMNS);
                assertThat(products(panels, alone, 1))
                        .isEqualTo(
                                Arrays.copyOfRange(together, row * OUTPUTS, (row + 1) * OUTPUTS));
            }
        }
    }
}
