package dev.outrider.nn.vector;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.checkpoint.FileMatrix.BlockMatrix;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.vector.Matrix.Linear;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Blocks multiply as the numbers do that they stand for, to the last bit.
class BlockPanelsTest {
    private static final int OUTPUTS = 2 * Lanes.PANEL + 5;
    private static final int COLUMNS = 768;
    private static final ValueLayout.OfShort HALF =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static List<TensorType> types() {
        return RandomBlocks.types();
    }

    @Test
    void allFormatsOfGgufAreKept() {
        assertThat(types())
                .containsExactlyInAnyOrder(
                        TensorType.Q4_0,
                        TensorType.Q4_1,
                        TensorType.Q5_0,
                        TensorType.Q5_1,
                        TensorType.Q8_0,
                        TensorType.Q2_K,
                        TensorType.Q3_K,
                        TensorType.Q4_K,
                        TensorType.Q5_K,
                        TensorType.Q6_K,
                        TensorType.MXFP4);
    }

    @ParameterizedTest
    @MethodSource("types")
    void productsAreThoseOfTheNumbers(TensorType type) {
        var blocks = RandomBlocks.of(type, OUTPUTS, COLUMNS, type.ordinal());
        var own = PanelFormat.of(type).orElseThrow();
        check(List.of(blocks), nCopies(3, own));
    }

    /// Outputs that do not begin where a panel does, in the order that a file has for heads that rotate in pairs.
    @ParameterizedTest
    @MethodSource("types")
    void aPanelOfSeveralFormatsKeepsNumbers(TensorType type) {
        var first = RandomBlocks.of(type, Lanes.PANEL + 3, COLUMNS, 1);
        var swapped = new BlockMatrix(first.tensor(), first.rows(), row -> row ^ 1);
        var even = new BlockMatrix(swapped.tensor(), first.rows() - 1, swapped.place());
        var second = RandomBlocks.of(TensorType.Q8_0, Lanes.PANEL, COLUMNS, 2);
        var own = PanelFormat.of(type).orElseThrow();
        var mixed = type == TensorType.Q8_0 ? own : PanelFormat.F32;
        check(List.of(even, second), List.of(own, mixed, PanelFormat.INT8));
    }

    /// Whole panels are stored several numbers at a time, the outputs beside them one by one.
    @ParameterizedTest
    @EnumSource(
            value = TensorType.class,
            names = {"F16", "BF16"})
    void sixteenBitsAreKeptBitByBit(TensorType type) {
        var first = halves(type, Lanes.PANEL + 3, COLUMNS, 1);
        var swapped = new BlockMatrix(first.tensor(), first.rows() - 1, row -> row ^ 1);
        var own = PanelFormat.of(type).orElseThrow();
        check(List.of(swapped, halves(type, 3 * Lanes.PANEL, COLUMNS, 2)), nCopies(5, own));
        check(List.of(halves(type, 2 * Lanes.PANEL, 300, 3)), nCopies(2, own));
    }

    @ParameterizedTest
    @EnumSource(
            value = TensorType.class,
            names = {"F16", "BF16"})
    void numbersThatAreNotFiniteAreRefused(TensorType type) {
        int infinity = type == TensorType.F16 ? 0x7c00 : 0x7f80;
        for (int bits : new int[] {infinity, infinity | 0x8000, infinity | 1}) {
            for (int output = 0; output < Lanes.PANEL; output++) {
                var matrix = halves(type, Lanes.PANEL, 300, 1);
                long at = (output * 300L + 299) * Short.BYTES;
                matrix.tensor().data().set(HALF, at, (short) bits);
                int row = output;
                try (var arena = Arena.ofConfined()) {
                    var format = PanelFormat.of(type).orElseThrow();
                    var panels = new Panels(format, Lanes.PANEL, 300, arena);
                    assertThatThrownBy(() -> panels.fill(0, matrix))
                            .isInstanceOf(OutriderException.class)
                            .hasMessageContaining("number 299 of weight row %d of", row);
                }
            }
        }
    }

    private static BlockMatrix halves(TensorType type, int rows, int columns, int seed) {
        var data = Arena.ofAuto().allocate((long) rows * columns * Short.BYTES);
        var random = new Random(seed);
        for (long index = 0; index < (long) rows * columns; index++) {
            int finite = random.nextInt(1 << 16) & (type == TensorType.F16 ? 0xbbff : 0xbf7f);
            data.setAtIndex(HALF, index, (short) finite);
        }
        var shape = List.of((long) rows, (long) columns);
        return new BlockMatrix(new StoredTensor("halves", type, shape, data), rows, row -> row);
    }

    private static void check(List<BlockMatrix> blocks, List<PanelFormat> formats) {
        int columns = blocks.getFirst().columns();
        int outputs = blocks.stream().mapToInt(each -> (int) each.rows()).sum();
        try (var arena = Arena.ofShared()) {
            var kept = new Panels(formats.subList(0, count(outputs)), outputs, columns, arena);
            var plain = new Panels(PanelFormat.F32, outputs, columns, arena);
            int at = 0;
            var numbers = new ArrayList<float[]>();
            for (var matrix : blocks) {
                kept.fill(at, matrix);
                for (long row = 0; row < matrix.rows(); row++) {
                    numbers.add(matrix.row(row).toFloats());
                    plain.fill(at, MemorySegment.ofArray(numbers.getLast()));
                    at++;
                }
            }
            var read = new float[columns];
            for (int output = 0; output < outputs; output++) {
                kept.read(output, read, 0);
                assertThat(read).isEqualTo(numbers.get(output));
            }
            for (int rows : new int[] {1, 2, 3, 5, 8, 9, 17}) {
                assertThat(products(kept, rows)).isEqualTo(products(plain, rows));
            }
        }
    }

    private static int count(int outputs) {
        return Math.ceilDiv(outputs, Lanes.PANEL);
    }

    static float[] products(Matrix panels, int rows) {
        var x = new float[rows * panels.columns()];
        var random = new Random(rows);
        for (int index = 0; index < x.length; index++) {
            x[index] = random.nextFloat() - 0.5f;
        }
        var y = new float[rows * panels.outputs()];
        new Workspace().project(new Linear(panels, Optional.empty()), x, rows, y);
        return y;
    }

    @Test
    void aScaleThatIsNoNumberIsRefused() {
        var blocks = RandomBlocks.of(TensorType.Q4_K, 1, 256, 1);
        var bytes = blocks.tensor().data();
        bytes.set(ValueLayout.JAVA_BYTE, 1, (byte) 0x7c);
        var tensor = new StoredTensor("w", TensorType.Q4_K, List.of(1L, 256L), bytes);
        try (var arena = Arena.ofShared()) {
            var panels = new Panels(PanelFormat.Q4_K, 1, 256, arena);
            assertThatThrownBy(() -> panels.fill(0, new BlockMatrix(tensor, 1, row -> row)))
                    .isInstanceOfSatisfying(
                            OutriderException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_UNSUPPORTED))
                    .hasMessageContaining("block 0 of a row of tensor 'w' has a scale");
        }
    }

    @Test
    void bitsAreThoseOfTheFileOrFewMore() {
        for (var type : types()) {
            double own = type.bits();
            double kept = PanelFormat.of(type).orElseThrow().bits();
            boolean narrow = type == TensorType.Q2_K || type == TensorType.Q3_K;
            assertThat(kept).as("%s", type).isBetween(own, narrow ? own + 2.5 : own + 0.126);
        }
        assertThat(Arrays.stream(PanelFormat.values()).map(PanelFormat::bits))
                .allMatch(bits -> bits > 4);
    }
}
