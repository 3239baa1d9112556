package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.gguf.GgufBlock;
import dev.outrider.nn.gguf.GgufType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Levels of four to six bits as GGUF files keep them, in groups with a scale and perhaps an offset for each output.
///
/// A block begins with what scales count by, 16-bit floats; then, in blocks of several groups, a byte a group for every output. What
/// offsets count by, and theirs, come behind each. Then a group's levels, column after column: the lower four bits as in
/// [NibbleBlocks]; behind them, column after column, the higher bits, an output's side by side.
///
/// A record, whose fields the compiler takes for constants.
///
/// @param type whose blocks these are
/// @param high bits of a level beyond four
/// @param zero what is stored for level 0
record GroupBlocks(GgufType type, int high, int zero) implements BlockFormat {
    private static final int LOW = 4;
    private static final int NIBBLE = 0xf;
    private static final long HALVES = PairLayout.BYTES_A_COLUMN;
    private static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Bytes that the last word of higher bits is read beyond its block.
    static final long BEYOND = Integer.BYTES;

    @Override
    public int columns() {
        return type.block();
    }

    @Override
    public int group() {
        return type.group();
    }

    @Override
    public long bytes() {
        return scaleBytes() + type.groups() * groupBytes();
    }

    private int kinds() {
        return type.offsets() ? 2 : 1;
    }

    private boolean single() {
        return type.groups() == 1;
    }

    private long scaleBytes() {
        return kinds() * (HALVES + (single() ? 0 : (long) type.groups() * PANEL));
    }

    private long groupBytes() {
        return type.group() * (WIDTH + highBytes());
    }

    /// Bytes of a column's higher bits.
    private long highBytes() {
        return (long) PANEL * high / Byte.SIZE;
    }

    @Override
    public long place(long from, int group) {
        return from
                + group / type.groups() * bytes()
                + scaleBytes()
                + group % type.groups() * groupBytes();
    }

    @Override
    public boolean scaled() {
        return true;
    }

    @Override
    public void pack(float[] numbers, MemorySegment memory, long at, int lane) {
        throw new IllegalStateException("levels of %s are taken over, not made".formatted(type));
    }

    /// Stores an output's block.
    ///
    /// @param at   where the panel's block begins
    /// @param lane the output's place in the panel
    void keep(GgufBlock block, MemorySegment memory, long at, int lane) {
        Halves.put(memory, at, lane, 0, block.unit());
        if (type.offsets()) {
            Halves.put(memory, at + HALVES, lane, 0, block.offsetUnit());
        }
        for (int group = 0; group < type.groups(); group++) {
            if (!single()) {
                memory.set(ValueLayout.JAVA_BYTE, scale(at, group) + lane, block.scale(group));
            }
            if (!single() && type.offsets()) {
                memory.set(ValueLayout.JAVA_BYTE, offset(at, group) + lane, block.offset(group));
            }
            for (int column = 0; column < type.group(); column++) {
                int level = block.levels()[group * type.group() + column] + zero;
                put(memory, place(at, group), lane, column, level);
            }
        }
    }

    private void put(MemorySegment memory, long at, int lane, int column, int level) {
        set(memory, low(at, column) + lane % WIDTH, LOW * (lane / WIDTH), NIBBLE, level & NIBBLE);
        if (high > 0) {
            int bit = lane * high;
            set(
                    memory,
                    high(at, column) + bit / Byte.SIZE,
                    bit % Byte.SIZE,
                    highMask(),
                    level >> LOW);
        }
    }

    private static void set(MemorySegment memory, long at, int shift, int mask, int bits) {
        int kept = memory.get(ValueLayout.JAVA_BYTE, at) & ~(mask << shift);
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) (kept | bits << shift));
    }

    private int highMask() {
        return (1 << high) - 1;
    }

    private static long low(long at, int column) {
        return at + (long) column * WIDTH;
    }

    private long high(long at, int column) {
        return at + (long) type.group() * WIDTH + column * highBytes();
    }

    /// Where a group's scales are in a block of several.
    private long scale(long block, int group) {
        return block + kinds() * HALVES + (long) group * PANEL;
    }

    /// Where a group's offsets are in a block of several.
    private long offset(long block, int group) {
        return scale(block, type.groups() + group);
    }

    @Override
    public float number(MemorySegment memory, long at, int lane, int column) {
        int group = column / type.group();
        int inGroup = column % type.group();
        long levels = place(at, group);
        int level =
                memory.get(ValueLayout.JAVA_BYTE, low(levels, inGroup) + lane % WIDTH)
                                >> LOW * (lane / WIDTH)
                        & NIBBLE;
        if (high > 0) {
            int bit = lane * high;
            int bits =
                    memory.get(ValueLayout.JAVA_BYTE, high(levels, inGroup) + bit / Byte.SIZE)
                            >> bit % Byte.SIZE;
            level |= (bits & highMask()) << LOW;
        }
        float scale = Halves.get(memory, at, lane, 0);
        if (!single()) {
            scale *= memory.get(ValueLayout.JAVA_BYTE, scale(at, group) + lane);
        }
        if (!type.offsets()) {
            return scale * (level - zero);
        }
        float offset = Halves.get(memory, at + HALVES, lane, 0);
        if (!single()) {
            offset = -(offset * memory.get(ValueLayout.JAVA_BYTE, offset(at, group) + lane));
        }
        return Math.fma(scale, (float) (level - zero), offset);
    }

    @Override
    public IntVector both(MemorySegment memory, long at, int column) {
        return (IntVector)
                ByteVector.fromMemorySegment(ByteBlocks.BYTES, memory, low(at, column), ORDER)
                        .convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
    }

    @Override
    public FloatVector first(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return numbers(memory, at, column, 0, both.and(NIBBLE), scales, offsets);
    }

    @Override
    public FloatVector second(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        var levels = both.lanewise(VectorOperators.LSHR, LOW);
        return numbers(memory, at, column, WIDTH, levels, scales, offsets);
    }

    private FloatVector numbers(
            MemorySegment memory,
            long at,
            int column,
            int lane,
            IntVector low,
            FloatVector scales,
            FloatVector offsets) {
        var levels = low;
        if (high > 0) {
            int bit = lane * high;
            int word = memory.get(WORD, high(at, column) + bit / Byte.SIZE);
            var places = IntVector.zero(INTS).addIndex(high).add(bit % Byte.SIZE);
            levels =
                    IntVector.broadcast(INTS, word)
                            .lanewise(VectorOperators.LSHR, places)
                            .and(highMask())
                            .lanewise(VectorOperators.LSHL, LOW)
                            .or(low);
        }
        return ((FloatVector) levels.convert(VectorOperators.I2F, 0)).fma(scales, offsets);
    }

    @Override
    public FloatVector firstScales(MemorySegment memory, long from, int group) {
        return scales(memory, from, group, 0);
    }

    @Override
    public FloatVector secondScales(MemorySegment memory, long from, int group) {
        return scales(memory, from, group, WIDTH);
    }

    @Override
    public FloatVector firstOffsets(MemorySegment memory, long from, int group) {
        return offsets(memory, from, group, 0);
    }

    @Override
    public FloatVector secondOffsets(MemorySegment memory, long from, int group) {
        return offsets(memory, from, group, WIDTH);
    }

    private long block(long from, int group) {
        return from + group / type.groups() * bytes();
    }

    private FloatVector scales(MemorySegment memory, long from, int group, int lane) {
        long block = block(from, group);
        var units = halves(memory, block, lane);
        return single()
                ? units
                : units.mul(bytes(memory, scale(block, group % type.groups()) + lane));
    }

    private FloatVector offsets(MemorySegment memory, long from, int group, int lane) {
        if (!type.offsets()) {
            return scales(memory, from, group, lane).mul(-zero);
        }
        long block = block(from, group);
        var units = halves(memory, block + HALVES, lane);
        return single()
                ? units
                : units.mul(bytes(memory, offset(block, group % type.groups()) + lane)).neg();
    }

    private static FloatVector halves(MemorySegment memory, long at, int lane) {
        var pairs = PairLayout.column(memory, at, 0);
        return lane == 0 ? Halves.lower(pairs) : Halves.upper(pairs);
    }

    private static FloatVector bytes(MemorySegment memory, long at) {
        return ByteBlocks.levels(memory, at);
    }
}
