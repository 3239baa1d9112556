package dev.outrider.nn.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Kernels of floats give the bits of Java's loops.
class FloatTilesTest {
    private static final int PANELS = 7;
    private static final float[] UNSCALED = {};

    private final Random random = new Random(5);

    @ParameterizedTest
    @EnumSource(
            value = PanelFormat.class,
            names = {"F32", "BF16", "F16"})
    void everyRowOfEveryTileHasTheBitsOfOneRowInJava(PanelFormat format) {
        assumeKernels(format);
        var java = Tiles.of(format.blocks(), 1);
        for (int rows = 1; rows <= Lanes.EXACT_TILE; rows++) {
            var kernel = new FloatTiles(format.blocks(), rows);
            for (int columns : new int[] {1, 2, 31, 64, 129}) {
                for (int panels = 1; panels <= PANELS; panels++) {
                    check(format, kernel, java, rows, columns, panels);
                }
            }
        }
    }

    private void check(
            PanelFormat format, Tiles kernel, Tiles java, int rows, int columns, int panels) {
        int stride = PANELS * Lanes.PANEL + 3;
        int before = 5;
        try (var arena = Arena.ofConfined()) {
            long size = (long) columns * Lanes.PANEL * format.blocks().bits() / Byte.SIZE + 64;
            var memory = memory(format, arena, panels * size + 128);
            var x = numbers(before + rows * columns);
            var first = numbers(before + rows * stride);
            var second = first.clone();

            kernel.multiply(
                    memory, 64, size, panels, UNSCALED, x, before, first, before, stride, columns);

            for (int row = 0; row < rows; row++) {
                var one = new float[columns];
                for (int column = 0; column < columns; column++) {
                    one[column] = x[before + column * rows + row];
                }
                int to = before + row * stride;
                java.multiply(
                        memory, 64, size, panels, UNSCALED, one, 0, second, to, stride, columns);
            }
            assertThat(first).isEqualTo(second);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = PanelFormat.class,
            names = {"F32", "BF16", "F16"})
    void stripsAddToEarlierSums(PanelFormat format) {
        assumeKernels(format);
        int columns = 96;
        int column = format.blocks().bits() * Lanes.PANEL / Byte.SIZE;
        try (var arena = Arena.ofConfined()) {
            var memory = memory(format, arena, (long) columns * column);
            for (int rows = 1; rows <= Lanes.EXACT_TILE; rows++) {
                var kernel = new FloatTiles(format.blocks(), rows);
                var x = numbers(rows * columns);
                int stride = Lanes.PANEL + 1;
                var whole = numbers(rows * stride);
                var strips = whole.clone();

                kernel.multiply(memory, 0, 0, 1, UNSCALED, x, 0, whole, 0, stride, columns);
                for (int from = 0; from < columns; from += 32) {
                    var strip = memory.asSlice((long) from * column);
                    kernel.multiplyStrip(strip, x, from * rows, strips, 0, stride, 32, from > 0);
                }

                assertThat(strips).isEqualTo(whole);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = PanelFormat.class,
            names = {"F32", "BF16", "F16"})
    void nothingOutsideOfArraysIsTouched(PanelFormat format) {
        assumeKernels(format);
        var kernel = new FloatTiles(format.blocks(), 2);
        try (var arena = Arena.ofConfined()) {
            long size = 8L * Lanes.PANEL * format.blocks().bits() / Byte.SIZE;
            var memory = memory(format, arena, size);
            int stride = Lanes.PANEL;
            assertThatThrownBy(() -> multiply(kernel, memory, size, new float[15], 2 * stride))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> multiply(kernel, memory, size, new float[16], 2 * stride - 1))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() ->
                            multiply(kernel, memory.asSlice(1), size, new float[16], 2 * stride))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThatThrownBy(() ->
                        kernel.multiply(
                                MemorySegment.NULL,
                                0,
                                0,
                                1,
                                UNSCALED,
                                UNSCALED,
                                0,
                                UNSCALED,
                                0,
                                0,
                                0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        var closed = Arena.ofShared();
        long size = 8L * Lanes.PANEL * format.blocks().bits() / Byte.SIZE;
        var memory = memory(format, closed, size);
        closed.close();
        assertThatThrownBy(() -> multiply(kernel, memory, size, new float[16], 2 * Lanes.PANEL))
                .isInstanceOf(IllegalStateException.class);
    }

    private static void multiply(
            Tiles kernel, MemorySegment memory, long size, float[] x, int products) {
        kernel.multiply(memory, 0, size, 1, UNSCALED, x, 0, new float[products], 0, Lanes.PANEL, 8);
    }

    private static void assumeKernels(PanelFormat format) {
        Assumptions.assumeTrue(
                FloatTiles.runs(format.blocks()),
                "kernels run on Linux and x86-64 with AVX2 or AVX-512");
    }

    /// Returns numbers of a format: finite, also very small ones.
    private MemorySegment memory(PanelFormat format, Arena arena, long size) {
        var memory = GrowingMemory.allocate(arena, size);
        int bytes = format.blocks().bits() / Byte.SIZE;
        var drawn = new byte[(int) size];
        random.nextBytes(drawn);
        for (int at = bytes - 1; at < size; at += bytes) {
            drawn[at] &= (byte) (random.nextInt(8) == 0 ? 0x80 : 0xbb);
        }
        MemorySegment.copy(MemorySegment.ofArray(drawn), 0, memory, 0, size);
        return memory;
    }

    private float[] numbers(int count) {
        var numbers = new float[count];
        for (int index = 0; index < count; index++) {
            numbers[index] = (float) random.nextGaussian();
        }
        return numbers;
    }
}
