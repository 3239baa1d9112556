package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.checkpoint.GroupedMatrix;
import dev.outrider.nn.checkpoint.HalfFloats;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.gguf.WeightBlock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// The layout of a panel's numbers: consecutive blocks of columns. A column is two vectors of numbers, for the outputs of the
/// panel's first and second half. [FormatTiles] computes the numbers of a column.
///
/// 16-bit numbers are a vector of pairs for each column. The lower halves of the lanes have the numbers of the panel's first
/// half, the upper halves those of its second half.
///
/// A block of codes begins with its scales. These are 16-bit floats (then offsets), followed in blocks of several groups by a
/// byte for each group and output that multiplies them; or 32-bit floats and a byte with the zero point; or a byte with an
/// exponent. Then come each group's codes, column after column. Codes of eight bits have a byte for each output. Of smaller codes
/// the lower four bits come first: a byte has those of an output of the panel's first half in its lower bits, and those of an
/// output of the second half in its upper bits. Higher bits follow, column after column; the bits of an output are adjacent.
///
/// For products of integers, codes have the order of [IntegerTiles]: 16 bits of an output have the lower four bits of four
/// columns, outputs of the panel's two halves alternate, and a byte of higher bits belongs to one output. Codes of eight bits are
/// signed; 32 bits of an output have those of four columns.
///
/// @param kind     meaning of a number's bits
/// @param bits     bits of a number
/// @param group    columns that have the same scales
/// @param inBlock  groups of a block
/// @param zero     code of level 0
/// @param integers whether codes are in the order for products of integers
record BlockFormat(Kind kind, int bits, int group, int inBlock, int zero, boolean integers) {
    private static final VectorSpecies<Short> SHORTS =
            VectorSpecies.of(short.class, VectorShape.forBitSize(WIDTH * Short.SIZE));

    /// A vector with one byte for each lane of floats. The smallest vector has more bytes; only the first ones are used.
    static final VectorSpecies<Byte> OCTETS =
            VectorSpecies.of(
                    byte.class,
                    VectorShape.forBitSize(
                            Math.max(VectorShape.S_64_BIT.vectorBitSize(), WIDTH * Byte.SIZE)));

    /// Bytes that a read of the last vector or word of codes takes beyond its block.
    static final long BEYOND = Math.max(OCTETS.length() - WIDTH, Integer.BYTES);

    static final int NIBBLE_BITS = 4;
    static final int NIBBLE = 0xf;

    /// Columns whose lower four bits are in 16 bits.
    static final int IN_LANE = 4;

    static final long HALVES = BYTES;

    /// Four 16-bit numbers, the first in the lowest bits.
    private static final ValueLayout.OfLong FOUR =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle LEVELS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /// Four bytes, of which each is 1.
    private static final int ONES = 0x0101_0101;

    private static final ValueLayout.OfInt FOUR_BYTES =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static final long SINGLES = (long) PANEL * Float.BYTES;

    /// Meanings of a number's bits c.
    enum Kind {
        /// The number, without scales.
        F32,
        F16,
        BF16,
        BYTE,
        /// `c s` with c from -127 to 127 and a 16-bit scale s.
        SIGNED,
        /// `(c - zero) s` with a 16-bit scale s.
        FIXED,
        /// `c s + o` with a 16-bit scale s and an offset o; in blocks of several groups `c s - o`.
        OFFSET,
        /// `(c - z) s` with a 32-bit scale s and a zero point z, rounded once.
        POINT,
        /// An eight-bit float times a 32-bit scale.
        E4M3,
        /// A four-bit float times a power of two (Open Compute Project 2023, microscaling formats, MXFP4).
        E2M1
    }

    /// Makes a format with one group in a block and without a fixed zero.
    BlockFormat(Kind kind, int bits, int columns) {
        this(kind, bits, columns, 1, 0, false);
    }

    /// Returns this format in the order for products of integers, if its numbers are integers times scales.
    Optional<BlockFormat> forIntegers() {
        int middle = kind == Kind.POINT && bits == Byte.SIZE ? -Byte.MIN_VALUE : zero;
        boolean floats = plain() && kind != Kind.BYTE || kind == Kind.E4M3 || kind == Kind.E2M1;
        return floats
                ? Optional.empty()
                : Optional.of(new BlockFormat(kind, bits, group, inBlock, middle, true));
    }

    /// Returns whether tiles read the scales themselves, before each group's codes. Reading the scales separately fetches single
    /// lines of memory, which took a third of the time of a pass of one row. But for most formats the code for scales is too
    /// large for the loops over columns.
    boolean scalesWithCodes() {
        return kind == Kind.SIGNED && !integers;
    }

    /// Returns whether numbers are without scales.
    boolean plain() {
        return kind.compareTo(Kind.SIGNED) < 0;
    }

    /// Returns whether numbers of the panel's halves alternate.
    boolean pairs() {
        return kind == Kind.BF16;
    }

    /// Returns whether scales are 16-bit floats.
    boolean halves() {
        return kind == Kind.SIGNED || kind == Kind.FIXED || kind == Kind.OFFSET;
    }

    boolean single() {
        return inBlock == 1;
    }

    /// Returns the bits of a code beyond four.
    int high() {
        return plain() || bits == Byte.SIZE ? 0 : bits - NIBBLE_BITS;
    }

    /// Returns the middle code.
    int middle() {
        return kind == Kind.FIXED ? zero : 1 << bits - 1;
    }

    /// Returns the columns of a block.
    int columns() {
        return inBlock * group;
    }

    /// Returns the rows of scales that each group has: none; one of scales; or that and one of offsets or zero points.
    int scaleRows() {
        return plain() ? 0 : kind == Kind.OFFSET || kind == Kind.POINT ? 2 : 1;
    }

    /// Returns the bytes of a panel's block.
    long bytes() {
        return headerBytes() + inBlock * groupBytes();
    }

    /// Returns the bytes of a block's scales.
    long headerBytes() {
        if (halves()) {
            return scaleRows() * (HALVES + (single() ? 0 : (long) inBlock * PANEL));
        }
        if (plain()) {
            return 0;
        }
        return kind == Kind.E2M1 ? PANEL : SINGLES + (kind == Kind.POINT ? PANEL : 0);
    }

    /// Returns the bytes of a group's codes.
    long groupBytes() {
        return (long) group * PANEL * bits / Byte.SIZE;
    }

    /// Returns the start of a group's columns.
    ///
    /// @param from  start of the panel
    /// @param index index of the group, from the panel's first
    long place(long from, int index) {
        return from + index / inBlock * bytes() + headerBytes() + index % inBlock * groupBytes();
    }

    /// Returns the place of a column's higher bits.
    ///
    /// @param at start of the group's columns
    long high(long at, int column) {
        return at + (long) group * WIDTH + (long) column * PANEL * high() / Byte.SIZE;
    }

    /// Returns the place of a number, or of the byte of its lower four bits.
    private long place(long at, int lane, int column) {
        if (integers && bits == Byte.SIZE) {
            return at + ((long) column / IN_LANE * PANEL + lane) * IN_LANE + column % IN_LANE;
        }
        if (integers) {
            long four = at + (long) column / IN_LANE * BYTES;
            return pair(four, lane) + column % IN_LANE / 2;
        }
        if (pairs()) {
            return pair(at + column * HALVES, lane);
        }
        if (bits < Byte.SIZE) {
            return at + (long) column * WIDTH + lane % WIDTH;
        }
        return at + ((long) column * PANEL + lane) * bits / Byte.SIZE;
    }

    /// Returns the first of the lower four bits in their byte.
    private int nibble(int lane, int column) {
        return NIBBLE_BITS * (integers ? column % 2 : lane / WIDTH);
    }

    /// Returns the place of the byte of a number's higher bits.
    private long highPlace(long at, int lane, int column) {
        if (!integers) {
            return high(at, column) + (long) lane * high() / Byte.SIZE;
        }
        long bytes = high(at, 0) + (long) column * high() / Byte.SIZE * PANEL;
        return bytes + lane % WIDTH * 2 + lane / WIDTH;
    }

    private int highBit(int lane, int column) {
        return (integers ? column : lane) * high() % Byte.SIZE;
    }

    /// Returns the place of an output's 16-bit number in a vector of pairs, in little-endian order.
    private static long pair(long at, int lane) {
        return at + (lane % WIDTH * 2 + lane / WIDTH) * 2L;
    }

    /// Returns the place of the bytes that multiply a group's scales, or its offsets, in a block of several groups.
    long counts(long block, int index, int row) {
        return block + scaleRows() * HALVES + (long) (row * inBlock + index) * PANEL;
    }

    /// Stores numbers of one output.
    ///
    /// @param numbers numbers of some blocks
    /// @param count   how many of them are stored, for formats without scales; a block in levels stores all numbers, so those
    ///                after the last one must be 0
    /// @param at      start of the first block
    /// @param lane    the output's place in the panel
    void pack(float[] numbers, int count, MemorySegment memory, long at, int lane) {
        pack(numbers, 0, count, memory, at, lane);
    }

    /// Stores numbers from an index on, for a format without scales.
    void pack(float[] numbers, int from, int count, MemorySegment memory, long at, int lane) {
        long place = place(at, lane, 0);
        switch (kind) {
            case F32 -> {
                for (int column = 0; column < count; column++) {
                    memory.set(
                            ValueLayout.JAVA_FLOAT,
                            place + column * SINGLES,
                            numbers[from + column]);
                }
            }
            case F16 -> {
                for (int column = 0; column < count; column++) {
                    short half = HalfFloats.toFiniteFloat16(numbers[from + column]);
                    memory.set(ValueLayout.JAVA_SHORT, place + column * HALVES, half);
                }
            }
            case BF16 -> {
                for (int column = 0; column < count; column++) {
                    short half = HalfFloats.toBfloat16(numbers[from + column]);
                    memory.set(ValueLayout.JAVA_SHORT, place + column * HALVES, half);
                }
            }
            case BYTE -> {
                for (int column = 0; column < count; column++) {
                    byte level = (byte) numbers[from + column];
                    memory.set(ValueLayout.JAVA_BYTE, place(at, lane, column), level);
                }
            }
            default -> quantise(numbers, memory, at, lane);
        }
    }

    /// Stores a column for a panel's first outputs, for a format without scales.
    void packColumn(float[] numbers, int from, int count, MemorySegment memory, long at) {
        if (kind == Kind.F32) {
            MemorySegment.copy(numbers, from, memory, ValueLayout.JAVA_FLOAT, at, count);
            return;
        }
        for (int lane = 0; lane < count; lane++) {
            pack(numbers, from + lane, 1, memory, at, lane);
        }
    }

    /// Stores columns of all outputs of a panel without a change, four numbers at a time.
    ///
    /// @param numbers the numbers of every output, 16 bits each
    /// @param count   number of columns
    /// @return whether all numbers are finite
    boolean keepHalves(short[][] numbers, int count, MemorySegment memory, long at) {
        long exponents = kind == Kind.BF16 ? 0x7f80_7f80_7f80_7f80L : 0x7c00_7c00_7c00_7c00L;
        long least = kind == Kind.BF16 ? 0x0080_0080_0080_0080L : 0x0400_0400_0400_0400L;
        long carries = 0;
        for (int lane = 0; lane < PANEL; lane += 4) {
            short[] first = numbers[pairs() ? lane / 2 : lane];
            short[] second = numbers[pairs() ? lane / 2 + WIDTH : lane + 1];
            short[] third = numbers[pairs() ? lane / 2 + 1 : lane + 2];
            short[] fourth = numbers[pairs() ? lane / 2 + 1 + WIDTH : lane + 3];
            long place = at + (long) lane * Short.BYTES;
            for (int column = 0; column < count; column++) {
                long four =
                        first[column] & 0xffffL
                                | (second[column] & 0xffffL) << 16
                                | (third[column] & 0xffffL) << 32
                                | (long) fourth[column] << 48;
                carries |= (four & exponents) + least; // into the sign of what is not finite
                memory.set(FOUR, place + column * HALVES, four);
            }
        }
        return (carries & 0x8000_8000_8000_8000L) == 0;
    }

    /// Stores a block of numbers of one output in the format's levels.
    private void quantise(float[] numbers, MemorySegment memory, long at, int lane) {
        var levels =
                Levels.ofBits(bits)
                        .filter(_ -> halves() && kind != Kind.OFFSET && single())
                        .orElseThrow(() ->
                                new IllegalStateException(
                                        "codes of %s are taken over, not computed"
                                                .formatted(this)));
        var block = new byte[Levels.BLOCK];
        memory.set(ValueLayout.JAVA_SHORT, pair(at, lane), levels.round(numbers, block));
        keep(block, 0, memory, place(at, 0), lane);
    }

    /// Stores a block of codes of one output.
    ///
    /// @param at   start of the panel's block
    /// @param lane the output's place in the panel
    void keep(WeightBlock block, MemorySegment memory, long at, int lane) {
        keepScales(block, memory, at, lane);
        for (int index = 0; index < inBlock; index++) {
            keep(block.levels(), index * group, memory, place(at, index), lane);
        }
    }

    private void keep(byte[] levels, int first, MemorySegment memory, long at, int lane) {
        if (integers && bits == Byte.SIZE) {
            for (int column = 0; column < group; column += IN_LANE) {
                int four = (int) LEVELS.get(levels, first + column) ^ zero * ONES;
                memory.set(FOUR_BYTES, place(at, lane, column), four);
            }
            return;
        }
        if (bits == Byte.SIZE) {
            for (int column = 0; column < group; column++) {
                byte code = (byte) (levels[first + column] + zero);
                memory.set(ValueLayout.JAVA_BYTE, at + lane + (long) column * PANEL, code);
            }
            return;
        }
        if (integers) {
            keepInLanes(levels, first, memory, at, lane);
            return;
        }
        int mask = (1 << high()) - 1;
        for (int column = 0; column < group; column++) {
            int code = levels[first + column] + zero;
            set(memory, place(at, lane, column), nibble(lane, column), NIBBLE, code);
            if (mask > 0) {
                int bit = highBit(lane, column);
                set(memory, highPlace(at, lane, column), bit, mask, code >> NIBBLE_BITS);
            }
        }
    }

    /// Stores a group's codes in the order for products of integers, four columns at a time.
    private void keepInLanes(byte[] levels, int first, MemorySegment memory, long at, int lane) {
        int high = high();
        int codes = (zero == 0 ? 0xff : 2 * zero - 1) * ONES;
        int mask = (1 << high) - 1;
        long place = pair(at, lane);
        long highPlace = highPlace(at, lane, 0);
        int kept = 0;
        int bit = 0;
        for (int column = 0; column < group; column += IN_LANE) {
            // A zero is a power of two, so that adding it changes one bit and those above.
            int four = ((int) LEVELS.get(levels, first + column) ^ zero * ONES) & codes;
            int pairs = four & NIBBLE * ONES;
            pairs |= pairs >>> NIBBLE_BITS;
            short lower = (short) (pairs & 0xff | pairs >>> Byte.SIZE & 0xff00);
            memory.set(ValueLayout.JAVA_SHORT, place, lower);
            place += BYTES;
            if (high > 0) {
                int each = four >>> NIBBLE_BITS & mask * ONES;
                int step = Byte.SIZE - high;
                int higher = each | each >>> step | each >>> 2 * step | each >>> 3 * step;
                kept |= (higher & (1 << IN_LANE * high) - 1) << bit;
                bit += IN_LANE * high;
                if (bit == Byte.SIZE) {
                    memory.set(ValueLayout.JAVA_BYTE, highPlace, (byte) kept);
                    highPlace += PANEL;
                    kept = 0;
                    bit = 0;
                }
            }
        }
    }

    private static void set(MemorySegment memory, long at, int shift, int mask, int bits) {
        int kept = memory.get(ValueLayout.JAVA_BYTE, at) & ~(mask << shift);
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) (kept | (bits & mask) << shift));
    }

    private void keepScales(WeightBlock block, MemorySegment memory, long at, int lane) {
        if (kind == Kind.E2M1) {
            memory.set(ValueLayout.JAVA_BYTE, at + lane, (byte) block.exponent());
            return;
        }
        if (!halves()) {
            memory.set(ValueLayout.JAVA_FLOAT, at + (long) lane * Float.BYTES, block.scale());
            if (kind == Kind.POINT) {
                memory.set(ValueLayout.JAVA_BYTE, at + SINGLES + lane, (byte) block.zero());
            }
            return;
        }
        memory.set(ValueLayout.JAVA_SHORT, pair(at, lane), block.unit());
        if (kind == Kind.OFFSET) {
            memory.set(ValueLayout.JAVA_SHORT, pair(at + HALVES, lane), block.offsetUnit());
        }
        for (int index = 0; index < inBlock && !single(); index++) {
            memory.set(ValueLayout.JAVA_BYTE, counts(at, index, 0) + lane, block.scale(index));
            if (kind == Kind.OFFSET) {
                memory.set(ValueLayout.JAVA_BYTE, counts(at, index, 1) + lane, block.offset(index));
            }
        }
    }

    /// Returns the value of a number in products.
    ///
    /// @param at     start of the block
    /// @param column index of the column, from the block's first
    float number(MemorySegment memory, long at, int lane, int column) {
        if (plain()) {
            long place = place(at, lane, column);
            return switch (kind) {
                case F32 -> memory.get(ValueLayout.JAVA_FLOAT, place);
                case F16 -> Float.float16ToFloat(memory.get(ValueLayout.JAVA_SHORT, place));
                case BF16 -> HalfFloats.fromBfloat16(memory.get(ValueLayout.JAVA_SHORT, place));
                default -> memory.get(ValueLayout.JAVA_BYTE, place);
            };
        }
        int index = column / group;
        int code = code(memory, place(at, index), lane, column % group);
        return halves()
                ? ofHalves(memory, at, lane, index, code)
                : switch (kind) {
                    case E2M1 ->
                            GroupedMatrix.level(GroupedMatrix.Kind.E2M1, (byte) code, 0)
                                    * GroupedMatrix.power(octet(memory, at + lane));
                    case E4M3 ->
                            GroupedMatrix.level(GroupedMatrix.Kind.E4M3, (byte) code, 0)
                                    * single(memory, at, lane);
                    default ->
                            ((code & 0xff) - octet(memory, at + SINGLES + lane))
                                    * single(memory, at, lane);
                };
    }

    private static int octet(MemorySegment memory, long at) {
        return Byte.toUnsignedInt(memory.get(ValueLayout.JAVA_BYTE, at));
    }

    private static float single(MemorySegment memory, long at, int lane) {
        return memory.get(ValueLayout.JAVA_FLOAT, at + (long) lane * Float.BYTES);
    }

    private static float half(MemorySegment memory, long at, int lane) {
        return Float.float16ToFloat(memory.get(ValueLayout.JAVA_SHORT, pair(at, lane)));
    }

    private int code(MemorySegment memory, long at, int lane, int column) {
        int code = memory.get(ValueLayout.JAVA_BYTE, place(at, lane, column));
        if (bits == Byte.SIZE) {
            return code - zero;
        }
        code = code >> nibble(lane, column) & NIBBLE;
        if (high() > 0) {
            int high = octet(memory, highPlace(at, lane, column)) >> highBit(lane, column);
            code |= (high & (1 << high()) - 1) << NIBBLE_BITS;
        }
        return code;
    }

    private float ofHalves(MemorySegment memory, long at, int lane, int index, int code) {
        float scale = half(memory, at, lane);
        if (!single()) {
            scale *= memory.get(ValueLayout.JAVA_BYTE, counts(at, index, 0) + lane);
        }
        if (kind != Kind.OFFSET) {
            return scale * (code - zero);
        }
        float offset = half(memory, at + HALVES, lane);
        if (!single()) {
            offset = -(offset * memory.get(ValueLayout.JAVA_BYTE, counts(at, index, 1) + lane));
        }
        return Math.fma(scale, (float) (code - zero), offset);
    }

    /// Returns the 16-bit floats in the upper halves of lanes. Their bits are moved to the positions of a 32-bit float's, whose
    /// exponent is then 112 too small. It also works for subnormal numbers.
    static FloatVector halfFloats(IntVector pairs) {
        return pairs.lanewise(VectorOperators.ASHR, 3)
                .and(0x8fffe000)
                .reinterpretAsFloats()
                .mul(0x1p112f);
    }

    /// Returns consecutive 16-bit floats.
    static FloatVector halfFloats(MemorySegment memory, long place) {
        return halfFloats(
                (IntVector)
                        ShortVector.fromMemorySegment(SHORTS, memory, place, ORDER)
                                .convertShape(VectorOperators.ZERO_EXTEND_S2I, INTS, 0)
                                .lanewise(VectorOperators.LSHL, Short.SIZE));
    }

    /// Returns consecutive bytes, with a sign.
    static FloatVector signed(MemorySegment memory, long place) {
        return (FloatVector)
                ByteVector.fromMemorySegment(OCTETS, memory, place, ORDER)
                        .convertShape(VectorOperators.B2F, FLOATS, 0);
    }

    /// Returns consecutive bytes, without a sign.
    static IntVector unsigned(MemorySegment memory, long place) {
        return (IntVector)
                ByteVector.fromMemorySegment(OCTETS, memory, place, ORDER)
                        .convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
    }
}
