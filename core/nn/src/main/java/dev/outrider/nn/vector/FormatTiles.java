package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import java.lang.constant.ConstantDescs;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.FloatVector;

/// Tiles of rows times panels. [Tiles#of] makes a class of these bytes for each format, so that the compiler knows the format as
/// a constant and makes a loop of its own for each.
///
/// Scales are read here without a method of our own, which the compiler would call, and make an object of every vector, where
/// a format's numbers already filled the room it has for a loop.
///
/// Every output of every row is a sum of its own over the columns in order, one fused multiply-add each. What other rows are in
/// the tile cannot change it. Each number of rows is written out: sums in an array would be objects in memory, not registers.
final class FormatTiles implements Tiles {
    private static final BlockFormat FORMAT = format();

    private static final int SCALED = FORMAT.scaleRows();

    /// Columns that have the same scales, or more than there are.
    private static final int STEP = SCALED > 0 ? FORMAT.group() : 1 << 30;

    /// Scales of a group.
    private static final int GROUP_SCALES = SCALED * PANEL;

    /// A step the compiler does not know to be 1: it would put the loads of an unrolled loop into an order that the memory's
    /// prefetching does not follow, and one or two rows of 32-bit numbers take almost twice as long.
    private static int oneByOne = 1;

    FormatTiles() {}

    private static BlockFormat format() {
        try {
            return MethodHandles.classData(
                    MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, BlockFormat.class);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void multiply(
            MemorySegment memory,
            long from,
            long size,
            int panels,
            float[] scales,
            float[] x,
            int xAt,
            int rows,
            float[] y,
            int yAt,
            int stride,
            int columns) {
        int groupScales = Math.ceilDiv(columns, STEP) * GROUP_SCALES;
        for (int panel = 0; panel < panels; panel++) {
            long at = from + panel * size;
            int scalesAt = panel * groupScales;
            int to = yAt + panel * PANEL;
            multiply(memory, at, scales, scalesAt, x, xAt, rows, y, to, stride, columns);
        }
    }

    private static void multiply(
            MemorySegment panel,
            long from,
            float[] scales,
            int scalesAt,
            float[] x,
            int xAt,
            int rows,
            float[] y,
            int yAt,
            int stride,
            int columns) {
        switch (rows) {
            case 1 -> one(panel, from, scales, scalesAt, x, xAt, y, yAt, columns);
            case 2 -> two(panel, from, scales, scalesAt, x, xAt, y, yAt, stride, columns);
            case 4 -> four(panel, from, scales, scalesAt, x, xAt, y, yAt, stride, columns);
            default -> eight(panel, from, scales, scalesAt, x, xAt, y, yAt, stride, columns);
        }
    }

    /// One row.
    private static void one(
            MemorySegment panel,
            long from,
            float[] scales,
            int firstScale,
            float[] x,
            int xAt,
            float[] y,
            int yAt,
            int columns) {
        var zero = FloatVector.zero(FLOATS);
        var first0 = zero;
        var second0 = first0;
        int group = 0;
        int scalesAt = firstScale;
        for (int start = 0; start < columns; start += STEP) {
            int count = Math.min(STEP, columns - start);
            long block = FORMAT.place(from, group);
            var firstScales = zero;
            var secondScales = zero;
            var firstOffsets = zero;
            var secondOffsets = zero;
            if (SCALED > 0) {
                firstScales = FloatVector.fromArray(FLOATS, scales, scalesAt);
                secondScales = FloatVector.fromArray(FLOATS, scales, scalesAt + WIDTH);
            }
            if (SCALED > 1) {
                firstOffsets = FloatVector.fromArray(FLOATS, scales, scalesAt + PANEL);
                secondOffsets = FloatVector.fromArray(FLOATS, scales, scalesAt + PANEL + WIDTH);
            }
            for (int column = 0; column < count; column += FORMAT.unrolled(1) ? 1 : oneByOne) {
                var both = FORMAT.both(panel, block, column);
                var first = FORMAT.first(panel, block, column, both, firstScales, firstOffsets);
                var second = FORMAT.second(panel, block, column, both, secondScales, secondOffsets);
                int xs = xAt + start + column;
                var x0 = FloatVector.broadcast(FLOATS, x[xs]);
                first0 = x0.fma(first, first0);
                second0 = x0.fma(second, second0);
            }
            group++;
            scalesAt += GROUP_SCALES;
        }
        first0.intoArray(y, yAt);
        second0.intoArray(y, yAt + WIDTH);
    }

    /// Two rows, whose numbers of a column stand side by side in `x`.
    private static void two(
            MemorySegment panel,
            long from,
            float[] scales,
            int firstScale,
            float[] x,
            int xAt,
            float[] y,
            int yAt,
            int stride,
            int columns) {
        var zero = FloatVector.zero(FLOATS);
        var first0 = zero;
        var second0 = first0;
        var first1 = zero;
        var second1 = first1;
        int group = 0;
        int scalesAt = firstScale;
        for (int start = 0; start < columns; start += STEP) {
            int count = Math.min(STEP, columns - start);
            long block = FORMAT.place(from, group);
            var firstScales = zero;
            var secondScales = zero;
            var firstOffsets = zero;
            var secondOffsets = zero;
            if (SCALED > 0) {
                firstScales = FloatVector.fromArray(FLOATS, scales, scalesAt);
                secondScales = FloatVector.fromArray(FLOATS, scales, scalesAt + WIDTH);
            }
            if (SCALED > 1) {
                firstOffsets = FloatVector.fromArray(FLOATS, scales, scalesAt + PANEL);
                secondOffsets = FloatVector.fromArray(FLOATS, scales, scalesAt + PANEL + WIDTH);
            }
            for (int column = 0; column < count; column += FORMAT.unrolled(2) ? 1 : oneByOne) {
                var both = FORMAT.both(panel, block, column);
                var first = FORMAT.first(panel, block, column, both, firstScales, firstOffsets);
                var second = FORMAT.second(panel, block, column, both, secondScales, secondOffsets);
                int xs = xAt + (start + column) * 2;
                var x0 = FloatVector.broadcast(FLOATS, x[xs]);
                first0 = x0.fma(first, first0);
                second0 = x0.fma(second, second0);
                var x1 = FloatVector.broadcast(FLOATS, x[xs + 1]);
                first1 = x1.fma(first, first1);
                second1 = x1.fma(second, second1);
            }
            group++;
            scalesAt += GROUP_SCALES;
        }
        first0.intoArray(y, yAt);
        second0.intoArray(y, yAt + WIDTH);
        first1.intoArray(y, yAt + stride);
        second1.intoArray(y, yAt + stride + WIDTH);
    }

    /// Four rows.
    private static void four(
            MemorySegment panel,
            long from,
            float[] scales,
            int firstScale,
            float[] x,
            int xAt,
            float[] y,
            int yAt,
            int stride,
            int columns) {
        var zero = FloatVector.zero(FLOATS);
        var first0 = zero;
        var second0 = first0;
        var first1 = zero;
        var second1 = first1;
        var first2 = zero;
        var second2 = first2;
        var first3 = zero;
        var second3 = first3;
        int group = 0;
        int scalesAt = firstScale;
        for (int start = 0; start < columns; start += STEP) {
            int count = Math.min(STEP, columns - start);
            long block = FORMAT.place(from, group);
            var firstScales = zero;
            var secondScales = zero;
            var firstOffsets = zero;
            var secondOffsets = zero;
            if (SCALED > 0) {
                firstScales = FloatVector.fromArray(FLOATS, scales, scalesAt);
                secondScales = FloatVector.fromArray(FLOATS, scales, scalesAt + WIDTH);
            }
            if (SCALED > 1) {
                firstOffsets = FloatVector.fromArray(FLOATS, scales, scalesAt + PANEL);
                secondOffsets = FloatVector.fromArray(FLOATS, scales, scalesAt + PANEL + WIDTH);
            }
            for (int column = 0; column < count; column++) {
                var both = FORMAT.both(panel, block, column);
                var first = FORMAT.first(panel, block, column, both, firstScales, firstOffsets);
                var second = FORMAT.second(panel, block, column, both, secondScales, secondOffsets);
                int xs = xAt + (start + column) * 4;
                var x0 = FloatVector.broadcast(FLOATS, x[xs]);
                first0 = x0.fma(first, first0);
                second0 = x0.fma(second, second0);
                var x1 = FloatVector.broadcast(FLOATS, x[xs + 1]);
                first1 = x1.fma(first, first1);
                second1 = x1.fma(second, second1);
                var x2 = FloatVector.broadcast(FLOATS, x[xs + 2]);
                first2 = x2.fma(first, first2);
                second2 = x2.fma(second, second2);
                var x3 = FloatVector.broadcast(FLOATS, x[xs + 3]);
                first3 = x3.fma(first, first3);
                second3 = x3.fma(second, second3);
            }
            group++;
            scalesAt += GROUP_SCALES;
        }
        first0.intoArray(y, yAt);
        second0.intoArray(y, yAt + WIDTH);
        first1.intoArray(y, yAt + stride);
        second1.intoArray(y, yAt + stride + WIDTH);
        first2.intoArray(y, yAt + 2 * stride);
        second2.intoArray(y, yAt + 2 * stride + WIDTH);
        first3.intoArray(y, yAt + 3 * stride);
        second3.intoArray(y, yAt + 3 * stride + WIDTH);
    }

    /// Eight rows.
    private static void eight(
            MemorySegment panel,
            long from,
            float[] scales,
            int firstScale,
            float[] x,
            int xAt,
            float[] y,
            int yAt,
            int stride,
            int columns) {
        var zero = FloatVector.zero(FLOATS);
        var first0 = zero;
        var second0 = first0;
        var first1 = zero;
        var second1 = first1;
        var first2 = zero;
        var second2 = first2;
        var first3 = zero;
        var second3 = first3;
        var first4 = zero;
        var second4 = first4;
        var first5 = zero;
        var second5 = first5;
        var first6 = zero;
        var second6 = first6;
        var first7 = zero;
        var second7 = first7;
        int group = 0;
        int scalesAt = firstScale;
        for (int start = 0; start < columns; start += STEP) {
            int count = Math.min(STEP, columns - start);
            long block = FORMAT.place(from, group);
            var firstScales = zero;
            var secondScales = zero;
            var firstOffsets = zero;
            var secondOffsets = zero;
            if (SCALED > 0) {
                firstScales = FloatVector.fromArray(FLOATS, scales, scalesAt);
                secondScales = FloatVector.fromArray(FLOATS, scales, scalesAt + WIDTH);
            }
            if (SCALED > 1) {
                firstOffsets = FloatVector.fromArray(FLOATS, scales, scalesAt + PANEL);
                secondOffsets = FloatVector.fromArray(FLOATS, scales, scalesAt + PANEL + WIDTH);
            }
            for (int column = 0; column < count; column++) {
                var both = FORMAT.both(panel, block, column);
                var first = FORMAT.first(panel, block, column, both, firstScales, firstOffsets);
                var second = FORMAT.second(panel, block, column, both, secondScales, secondOffsets);
                int xs = xAt + (start + column) * 8;
                var x0 = FloatVector.broadcast(FLOATS, x[xs]);
                first0 = x0.fma(first, first0);
                second0 = x0.fma(second, second0);
                var x1 = FloatVector.broadcast(FLOATS, x[xs + 1]);
                first1 = x1.fma(first, first1);
                second1 = x1.fma(second, second1);
                var x2 = FloatVector.broadcast(FLOATS, x[xs + 2]);
                first2 = x2.fma(first, first2);
                second2 = x2.fma(second, second2);
                var x3 = FloatVector.broadcast(FLOATS, x[xs + 3]);
                first3 = x3.fma(first, first3);
                second3 = x3.fma(second, second3);
                var x4 = FloatVector.broadcast(FLOATS, x[xs + 4]);
                first4 = x4.fma(first, first4);
                second4 = x4.fma(second, second4);
                var x5 = FloatVector.broadcast(FLOATS, x[xs + 5]);
                first5 = x5.fma(first, first5);
                second5 = x5.fma(second, second5);
                var x6 = FloatVector.broadcast(FLOATS, x[xs + 6]);
                first6 = x6.fma(first, first6);
                second6 = x6.fma(second, second6);
                var x7 = FloatVector.broadcast(FLOATS, x[xs + 7]);
                first7 = x7.fma(first, first7);
                second7 = x7.fma(second, second7);
            }
            group++;
            scalesAt += GROUP_SCALES;
        }
        first0.intoArray(y, yAt);
        second0.intoArray(y, yAt + WIDTH);
        first1.intoArray(y, yAt + stride);
        second1.intoArray(y, yAt + stride + WIDTH);
        first2.intoArray(y, yAt + 2 * stride);
        second2.intoArray(y, yAt + 2 * stride + WIDTH);
        first3.intoArray(y, yAt + 3 * stride);
        second3.intoArray(y, yAt + 3 * stride + WIDTH);
        first4.intoArray(y, yAt + 4 * stride);
        second4.intoArray(y, yAt + 4 * stride + WIDTH);
        first5.intoArray(y, yAt + 5 * stride);
        second5.intoArray(y, yAt + 5 * stride + WIDTH);
        first6.intoArray(y, yAt + 6 * stride);
        second6.intoArray(y, yAt + 6 * stride + WIDTH);
        first7.intoArray(y, yAt + 7 * stride);
        second7.intoArray(y, yAt + 7 * stride + WIDTH);
    }
}
