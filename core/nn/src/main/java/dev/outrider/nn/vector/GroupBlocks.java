package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.gguf.GgufBlock;
import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.vector.LevelBlocks.ByteBlocks;
import dev.outrider.nn.vector.PairBlocks.Halves;
import dev.outrider.nn.vector.PairBlocks.PairLayout;
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
/// [LevelBlocks.NibbleBlocks]; behind them, column after column, the higher bits, an output's side by side.
///
/// A record, whose fields the compiler takes for constants.
///
/// @param type    whose blocks these are
/// @param group   columns of a group
/// @param inBlock groups of a block
/// @param offsets whether groups have any
/// @param high    bits of a level beyond four
/// @param zero    what is stored for level 0
record GroupBlocks(GgufType type, int group, int inBlock, boolean offsets, int high, int zero)
        implements BlockFormat {
    private static final int LOW = 4;
    private static final int NIBBLE = 0xf;
    private static final long HALVES = PairLayout.BYTES_A_COLUMN;
    private static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Bytes that the last word of higher bits is read beyond its block.
    static final long BEYOND = Integer.BYTES;

    GroupBlocks(GgufType type, int high, int zero) {
        this(type, type.group(), type.groups(), type.offsets(), high, zero);
    }

    @Override
    public int columns() {
        return inBlock * group;
    }

    @Override
    public long bytes() {
        return scaleBytes() + inBlock * groupBytes();
    }

    private int kinds() {
        return offsets ? 2 : 1;
    }

    private boolean single() {
        return inBlock == 1;
    }

    private long scaleBytes() {
        return kinds() * (HALVES + (single() ? 0 : (long) inBlock * PANEL));
    }

    private long groupBytes() {
        return group * (WIDTH + highBytes());
    }

    /// Bytes of a column's higher bits.
    private long highBytes() {
        return (long) PANEL * high / Byte.SIZE;
    }

    @Override
    public long place(long from, int index) {
        return from + index / inBlock * bytes() + scaleBytes() + index % inBlock * groupBytes();
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
        if (offsets) {
            Halves.put(memory, at + HALVES, lane, 0, block.offsetUnit());
        }
        for (int index = 0; index < inBlock; index++) {
            if (!single()) {
                memory.set(ValueLayout.JAVA_BYTE, scale(at, index) + lane, block.scale(index));
            }
            if (!single() && offsets) {
                memory.set(ValueLayout.JAVA_BYTE, offset(at, index) + lane, block.offset(index));
            }
            for (int column = 0; column < group; column++) {
                int level = block.levels()[index * group + column] + zero;
                put(memory, place(at, index), lane, column, level);
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
        return at + (long) group * WIDTH + column * highBytes();
    }

    /// Where a group's scales are in a block of several.
    private long scale(long block, int index) {
        return block + kinds() * HALVES + (long) index * PANEL;
    }

    /// Where a group's offsets are in a block of several.
    private long offset(long block, int index) {
        return scale(block, inBlock + index);
    }

    @Override
    public float number(MemorySegment memory, long at, int lane, int column) {
        int index = column / group;
        int inGroup = column % group;
        long levels = place(at, index);
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
            scale *= memory.get(ValueLayout.JAVA_BYTE, scale(at, index) + lane);
        }
        if (!offsets) {
            return scale * (level - zero);
        }
        float offset = Halves.get(memory, at + HALVES, lane, 0);
        if (!single()) {
            offset = -(offset * memory.get(ValueLayout.JAVA_BYTE, offset(at, index) + lane));
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
            FloatVector added) {
        return numbers(memory, at, column, 0, both.and(NIBBLE), scales, added);
    }

    @Override
    public FloatVector second(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector added) {
        var levels = both.lanewise(VectorOperators.LSHR, LOW);
        return numbers(memory, at, column, WIDTH, levels, scales, added);
    }

    private FloatVector numbers(
            MemorySegment memory,
            long at,
            int column,
            int lane,
            IntVector low,
            FloatVector scales,
            FloatVector added) {
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
        var floats = (FloatVector) levels.convert(VectorOperators.I2F, 0);
        if (!offsets) {
            return floats.fma(scales, scales.mul(-zero));
        }
        // A block of one group adds its offsets; others take them away.
        return single() ? floats.fma(scales, added) : floats.fma(scales, added.neg());
    }

    @Override
    public int scaleRows() {
        return kinds();
    }

    @Override
    public void scales(MemorySegment memory, long from, int groups, float[] into, int at) {
        for (int index = 0; index < groups; index++) {
            long block = from + index / inBlock * bytes();
            int to = at + index * scaleRows() * PANEL;
            products(memory, block, scale(block, index % inBlock), into, to);
            if (offsets) {
                long counts = offset(block, index % inBlock);
                products(memory, block + HALVES, counts, into, to + PANEL);
            }
        }
    }

    /// What scales or offsets count by, times the counts, if there are any.
    private void products(MemorySegment memory, long units, long counts, float[] into, int at) {
        var pairs = PairLayout.column(memory, units, 0);
        var lower = Halves.lower(pairs);
        var upper = Halves.upper(pairs);
        if (!single()) {
            lower = lower.mul(ByteBlocks.levels(memory, counts));
            upper = upper.mul(ByteBlocks.levels(memory, counts + WIDTH));
        }
        lower.intoArray(into, at);
        upper.intoArray(into, at + WIDTH);
    }
}
