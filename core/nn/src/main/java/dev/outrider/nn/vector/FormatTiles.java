package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.vector.BlockFormat.Kind;
import dev.outrider.nn.vector.Tiles.Tile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Products of tiles of rows and panels. [Tiles#of] defines a class from this class file for each format and number of rows. Both
/// are then constants for the compiler, which compiles a loop for each, without code for other rows.
///
/// Scales are read here without a separate method: if a format's numbers reach the compiler's size limit of a loop, it would call
/// the method and allocate an object for every vector.
///
/// Every output of every row is a separate sum over the columns in order, with one fused multiply-add for each. The other rows of
/// the tile cannot change it. The numbers of each row have separate variables, because sums in an array would be in memory, not
/// in registers.
final class FormatTiles implements Tiles, Tiles.Unpacker {
    private static final Tile TILE = Tiles.tile(MethodHandles.lookup());
    private static final BlockFormat FORMAT = TILE.format();
    private static final int ROWS = TILE.rows();
    private static final Kind CODE = FORMAT.kind();
    private static final boolean PLAIN = FORMAT.plain();
    private static final boolean PAIRS = FORMAT.pairs();
    private static final boolean OCTETS = FORMAT.bits() == Byte.SIZE;
    private static final boolean SINGLE = FORMAT.inBlock() == 1;
    private static final int IN_BLOCK = FORMAT.inBlock();
    private static final long BLOCK_BYTES = FORMAT.bytes();
    private static final long HEADER_BYTES = FORMAT.headerBytes();
    private static final long GROUP_BYTES = FORMAT.groupBytes();
    private static final int ZERO = FORMAT.zero();
    private static final int HIGH = FORMAT.high();

    /// Start of a group's higher bits, and the number of bytes of a column's higher bits.
    private static final long HIGH_START = FORMAT.high(0, 0);

    private static final long HIGH_BYTES = FORMAT.high(0, 1) - HIGH_START;
    private static final int SIGN = 0x80000000;
    private static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int SCALED = FORMAT.scaleRows();

    /// Columns that have the same scales; without scales a number larger than any matrix.
    private static final int STEP = SCALED > 0 ? FORMAT.group() : 1 << 30;

    /// Scales of a group.
    private static final int GROUP_SCALES = SCALED * PANEL;

    FormatTiles() {}

    @Override
    public void multiply(
            MemorySegment memory,
            long from,
            long size,
            int panels,
            float[] scales,
            float[] x,
            int xAt,
            float[] y,
            int yAt,
            int stride,
            int columns) {
        int groupScales = Math.ceilDiv(columns, STEP) * GROUP_SCALES;
        for (int panel = 0; panel < panels; panel++) {
            long at = from + panel * size;
            int to = yAt + panel * PANEL;
            int scale = panel * groupScales;
            multiply(memory, at, memory, scales, scale, x, xAt, y, to, stride, columns);
        }
    }

    @Override
    public void unpack(
            MemorySegment memory, long from, float[] scales, int columns, MemorySegment into) {
        multiply(memory, from, into, scales, 0, scales, 0, scales, 0, 0, columns);
    }

    /// Multiplies all rows by one panel; the rows' numbers of a column are adjacent in `x`. Without rows, computes the numbers of
    /// the panel.
    private static void multiply(
            MemorySegment panel,
            long from,
            MemorySegment numbers,
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
        var second0 = zero;
        var first1 = zero;
        var second1 = zero;
        var first2 = zero;
        var second2 = zero;
        var first3 = zero;
        var second3 = zero;
        var first4 = zero;
        var second4 = zero;
        var first5 = zero;
        var second5 = zero;
        var first6 = zero;
        var second6 = zero;
        var first7 = zero;
        var second7 = zero;
        int group = 0;
        int scalesAt = firstScale;
        for (int start = 0; start < columns; start += STEP) {
            int count = Math.min(STEP, columns - start);
            long block =
                    from
                            + group / IN_BLOCK * BLOCK_BYTES
                            + HEADER_BYTES
                            + group % IN_BLOCK * GROUP_BYTES;
            var firstScales = zero;
            var secondScales = zero;
            var firstOffsets = zero;
            var secondOffsets = zero;
            if (FORMAT.scalesWithCodes()) {
                var pairs = IntVector.fromMemorySegment(INTS, panel, block - HEADER_BYTES, ORDER);
                firstScales =
                        BlockFormat.halfFloats(pairs.lanewise(VectorOperators.LSHL, Short.SIZE));
                secondScales = BlockFormat.halfFloats(pairs);
            } else if (SCALED > 0) {
                firstScales = FloatVector.fromArray(FLOATS, scales, scalesAt);
                secondScales = FloatVector.fromArray(FLOATS, scales, scalesAt + WIDTH);
            }
            if (SCALED > 1) {
                firstOffsets = FloatVector.fromArray(FLOATS, scales, scalesAt + PANEL);
                secondOffsets = FloatVector.fromArray(FLOATS, scales, scalesAt + PANEL + WIDTH);
            }
            for (int column = 0; column < count; column++) {
                var both = both(panel, block, column);
                var first = half(0, panel, block, column, both, firstScales, firstOffsets);
                var second = half(1, panel, block, column, both, secondScales, secondOffsets);
                if (ROWS == 0) {
                    long at = (long) (start + column) * PANEL * Float.BYTES;
                    first.intoMemorySegment(numbers, at, ORDER);
                    second.intoMemorySegment(numbers, at + BYTES, ORDER);
                    continue;
                }
                int xs = xAt + (start + column) * ROWS;
                var x0 = FloatVector.broadcast(FLOATS, x[xs]);
                first0 = x0.fma(first, first0);
                second0 = x0.fma(second, second0);
                if (ROWS > 1) {
                    var x1 = FloatVector.broadcast(FLOATS, x[xs + 1]);
                    first1 = x1.fma(first, first1);
                    second1 = x1.fma(second, second1);
                }
                if (ROWS > 2) {
                    var x2 = FloatVector.broadcast(FLOATS, x[xs + 2]);
                    first2 = x2.fma(first, first2);
                    second2 = x2.fma(second, second2);
                    var x3 = FloatVector.broadcast(FLOATS, x[xs + 3]);
                    first3 = x3.fma(first, first3);
                    second3 = x3.fma(second, second3);
                }
                if (ROWS > 4) {
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
            }
            group++;
            scalesAt += GROUP_SCALES;
        }
        if (ROWS == 0) {
            return;
        }
        first0.intoArray(y, yAt);
        second0.intoArray(y, yAt + WIDTH);
        if (ROWS > 1) {
            first1.intoArray(y, yAt + stride);
            second1.intoArray(y, yAt + stride + WIDTH);
        }
        if (ROWS > 2) {
            first2.intoArray(y, yAt + 2 * stride);
            second2.intoArray(y, yAt + 2 * stride + WIDTH);
            first3.intoArray(y, yAt + 3 * stride);
            second3.intoArray(y, yAt + 3 * stride + WIDTH);
        }
        if (ROWS > 4) {
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

    // These methods are in this class, so that each format has a copy. Shared methods would grow
    // with every format that runs, until the compiler calls them instead of inlining them. For the
    // same reason each method is short.

    /// Returns the vector that has both halves of a column; zeros if the format stores the halves separately.
    private static IntVector both(MemorySegment memory, long at, int column) {
        if (PAIRS) {
            return IntVector.fromMemorySegment(INTS, memory, at + (long) column * BYTES, ORDER);
        }
        return PLAIN || OCTETS
                ? IntVector.zero(INTS)
                : BlockFormat.unsigned(memory, at + (long) column * WIDTH);
    }

    /// Returns half of a column.
    ///
    /// @param half 0 or 1, a constant
    private static FloatVector half(
            int half,
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        if (PLAIN) {
            return plain(half, memory, at, column, both);
        }
        long place = at + (long) column * PANEL + half * WIDTH;
        if (CODE == Kind.SIGNED) {
            return BlockFormat.signed(memory, place).mul(scales);
        }
        var codes =
                OCTETS
                        ? BlockFormat.unsigned(memory, place)
                        : half == 0
                                ? both.and(BlockFormat.NIBBLE)
                                : both.lanewise(VectorOperators.LSHR, BlockFormat.NIBBLE_BITS);
        if (HIGH > 0) {
            codes = withHigherBits(half, memory, at, column, codes);
        }
        if (CODE == Kind.E2M1) {
            return fourBitFloats(codes).mul(scales);
        }
        return CODE == Kind.E4M3
                ? eightBitFloats(codes).mul(scales)
                : integers(codes, scales, offsets);
    }

    private static FloatVector plain(
            int half, MemorySegment memory, long at, int column, IntVector both) {
        if (CODE == Kind.F32) {
            long place = at + ((long) column * PANEL + half * WIDTH) * Float.BYTES;
            return FloatVector.fromMemorySegment(FLOATS, memory, place, ORDER);
        }
        if (CODE == Kind.BYTE) {
            return BlockFormat.signed(memory, at + (long) column * PANEL + half * WIDTH);
        }
        if (CODE == Kind.F16) {
            long place = at + ((long) column * PANEL + half * WIDTH) * Short.BYTES;
            return BlockFormat.halfFloats(memory, place);
        }
        var upper =
                half == 0 ? both.lanewise(VectorOperators.LSHL, Short.SIZE) : both.and(0xffff0000);
        return upper.reinterpretAsFloats();
    }

    private static IntVector withHigherBits(
            int half, MemorySegment memory, long at, int column, IntVector codes) {
        int bit = half * WIDTH * HIGH;
        int word = memory.get(WORD, at + HIGH_START + column * HIGH_BYTES + bit / Byte.SIZE);
        var places = IntVector.zero(INTS).addIndex(HIGH).add(bit % Byte.SIZE);
        return IntVector.broadcast(INTS, word)
                .lanewise(VectorOperators.LSHR, places)
                .and((1 << HIGH) - 1)
                .lanewise(VectorOperators.LSHL, BlockFormat.NIBBLE_BITS)
                .or(codes);
    }

    private static FloatVector integers(IntVector codes, FloatVector scales, FloatVector offsets) {
        var floats = (FloatVector) codes.convert(VectorOperators.I2F, 0);
        if (CODE == Kind.FIXED) {
            return floats.fma(scales, scales.mul(-ZERO));
        }
        if (CODE == Kind.POINT) {
            return floats.sub(offsets).mul(scales);
        }
        return floats.fma(scales, SINGLE ? offsets : offsets.neg());
    }

    /// Returns twice the floats with two bits of exponent and one of fraction. A constant has four bits for each of the eight
    /// values without a sign.
    private static FloatVector fourBitFloats(IntVector codes) {
        var places = codes.lanewise(VectorOperators.LSHL, 2).and(28);
        var sizes = IntVector.broadcast(INTS, 0xc8643210).lanewise(VectorOperators.LSHR, places);
        var signs = codes.lanewise(VectorOperators.LSHL, Integer.SIZE - 4).and(SIGN);
        return ((FloatVector) sizes.and(BlockFormat.NIBBLE).convert(VectorOperators.I2F, 0))
                .reinterpretAsInts()
                .or(signs)
                .reinterpretAsFloats();
    }

    /// Returns floats with four bits of exponent and three of fraction. Their bits are moved to the positions of a 32-bit
    /// float's, whose exponent is then 120 too small.
    private static FloatVector eightBitFloats(IntVector codes) {
        return codes.lanewise(VectorOperators.LSHL, 20)
                .and(0x07f00000)
                .or(codes.lanewise(VectorOperators.LSHL, Integer.SIZE - Byte.SIZE).and(SIGN))
                .reinterpretAsFloats()
                .mul(0x1p120f);
    }
}
