package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.vector.BlockFormat.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// Tiles of rows in levels times panels of codes. [IntegerTiles#of] defines a class of these bytes for each format, so that the compiler
/// knows the format as a constant and compiles a loop for each.
///
/// Codes of few bits are multiplied in 16 bits. Of the codes c is taken that they are c - m with m in the middle, so that the sum of a
/// run of columns fits 16 bits: it begins with -m times the sum of the row's levels there, and may overflow on its way. Products of
/// eight bits are added by floats, which hold them exactly; that is as fast as widening every second product.
///
/// The numbers of each row are written out, as in [FormatTiles]; sums go through memory to the loop that scales them, because one loop
/// for both has more nodes than the compiler inlines.
final class FormatIntegers implements IntegerTiles {
    /// Fewest columns that have the same scales.
    static final int LEAST_STEP = 16;

    private static final BlockFormat FORMAT = Tiles.format(MethodHandles.lookup());
    private static final Kind CODE = FORMAT.kind();
    private static final int BITS = FORMAT.bits();
    private static final boolean OCTETS = BITS == Byte.SIZE;
    private static final int GROUP = FORMAT.group();
    private static final int IN_BLOCK = FORMAT.inBlock();
    private static final long BLOCK_BYTES = FORMAT.bytes();
    private static final long HEADER_BYTES = FORMAT.headerBytes();
    private static final long GROUP_BYTES = FORMAT.groupBytes();
    private static final int HIGH = FORMAT.high();
    private static final int LOWER_BITS = BITS - HIGH;
    private static final long HIGH_START = FORMAT.high(0, 0);
    private static final int TWICE = 1 << Short.SIZE | 1;

    /// The place of the lower four bits in the codes of two outputs. Both are shifted at once: what comes from the other is no part of
    /// them.
    private static final int NIBBLES = BlockFormat.NIBBLE * TWICE;

    /// The place of the higher bits in the codes of two outputs.
    private static final int HIGHER = ((1 << HIGH) - 1 << BlockFormat.NIBBLE_BITS) * TWICE;

    /// Rows of scales of a group, and the scales of it.
    private static final int SCALED = FORMAT.scaleRows();

    private static final int GROUP_SCALES = SCALED * PANEL;

    /// Columns that have the same scales.
    private static final int STEP = Math.min(RoundedRows.BLOCK, GROUP);

    /// Columns of a sum of integers: at most 2^15 over half the codes and 127, where sums have 16 bits.
    private static final int RUN = OCTETS ? STEP : Math.min(STEP, 512 >> BITS);

    private static final int RUNS = STEP / RUN;
    private static final int RUNS_OF_GROUP = GROUP / RUN;

    /// Runs in a group, and groups in a block, as powers of two.
    private static final int GROUP_SHIFT = Integer.numberOfTrailingZeros(RUNS_OF_GROUP);

    private static final int BLOCK_SHIFT = Integer.numberOfTrailingZeros(IN_BLOCK);

    /// The code in the middle.
    private static final int CENTRE =
            OCTETS ? 0 : CODE == Kind.FIXED ? FORMAT.zero() : 1 << BITS - 1;

    private static final VectorSpecies<Short> SHORTS =
            VectorSpecies.of(short.class, FLOATS.vectorShape());

    /// As many bytes as a panel has outputs.
    private static final VectorSpecies<Byte> OUTPUTS =
            VectorSpecies.of(byte.class, VectorShape.forBitSize(PANEL * Byte.SIZE));

    FormatIntegers() {}

    @Override
    public void add(
            MemorySegment memory,
            long first,
            long second,
            float[] scales,
            RoundedRows x,
            int tile,
            int column,
            int columns,
            Sums integers,
            float[] sums,
            int at) {
        int height = x.height(tile);
        int firstX = x.offset(tile) + column * height;
        int steps = columns / STEP;
        if (OCTETS) {
            float[] levels = x.levels();
            float[] into = integers.floats;
            switch (height) {
                case 1 -> oneOfBytes(memory, first, second, levels, firstX, steps, into);
                case 2 -> twoOfBytes(memory, first, second, levels, firstX, steps, into);
                default -> {
                    for (int row = 0; row < height; row += 4) {
                        int to = row * 2 * PANEL;
                        int xs = firstX + row;
                        fourOfBytes(memory, first, levels, xs, height, steps, into, to);
                        fourOfBytes(memory, second, levels, xs, height, steps, into, to + PANEL);
                    }
                }
            }
        } else {
            int[] pairs = x.pairs();
            int[] counts = x.sums(RUN);
            int count = firstX / RUN;
            int runs = columns / RUN;
            short[] into = integers.shorts;
            switch (height) {
                case 1 -> one(memory, first, second, pairs, firstX, counts, count, runs, into);
                case 2 -> two(memory, first, second, pairs, firstX, counts, count, runs, into);
                case 4 -> {
                    four(memory, first, pairs, firstX, counts, count, runs, into, 0);
                    four(memory, second, pairs, firstX, counts, count, runs, into, PANEL);
                }
                default -> {
                    eight(memory, first, pairs, firstX, counts, count, runs, into, 0);
                    eight(memory, second, pairs, firstX, counts, count, runs, into, PANEL);
                }
            }
        }
        int groupScales = Math.ceilDiv(columns, GROUP) * GROUP_SCALES;
        for (int row = 0; row < height; row++) {
            for (int panel = 0; panel < 2; panel++) {
                int place = (row * 2 + panel) * PANEL;
                scale(
                        integers,
                        place,
                        height,
                        scales,
                        panel * groupScales,
                        x.scales(),
                        firstX / RoundedRows.BLOCK + row,
                        x.sums(STEP),
                        firstX / STEP + row,
                        steps,
                        sums,
                        at + place);
            }
        }
    }

    /// Scales sums of integers of one row and panel, and adds them.
    private static void scale(
            Sums integers,
            int from,
            int height,
            float[] scales,
            int firstScale,
            float[] rowScales,
            int rowScale,
            int[] counts,
            int firstCount,
            int steps,
            float[] sums,
            int at) {
        var first = FloatVector.fromArray(FLOATS, sums, at);
        var second = FloatVector.fromArray(FLOATS, sums, at + WIDTH);
        int sum = from;
        for (int step = 0; step < steps; step++) {
            float rows = rowScales[rowScale + step * STEP / RoundedRows.BLOCK * height];
            float count = counts[firstCount + step * height];
            int place = firstScale + step * STEP / GROUP * GROUP_SCALES;
            var firstScales = FloatVector.fromArray(FLOATS, scales, place);
            var secondScales = FloatVector.fromArray(FLOATS, scales, place + WIDTH);
            FloatVector firstSum;
            FloatVector secondSum;
            if (OCTETS) {
                firstSum = FloatVector.fromArray(FLOATS, integers.floats, sum);
                secondSum = FloatVector.fromArray(FLOATS, integers.floats, sum + WIDTH);
            } else {
                var both = ShortVector.fromArray(SHORTS, integers.shorts, sum).reinterpretAsInts();
                var firstInts = lower(both);
                var secondInts = both.lanewise(VectorOperators.ASHR, Short.SIZE);
                if (RUNS > 1) {
                    int next = sum + height * 2 * PANEL;
                    both = ShortVector.fromArray(SHORTS, integers.shorts, next).reinterpretAsInts();
                    firstInts = firstInts.add(lower(both));
                    secondInts = secondInts.add(both.lanewise(VectorOperators.ASHR, Short.SIZE));
                }
                firstSum = (FloatVector) firstInts.convert(VectorOperators.I2F, 0);
                secondSum = (FloatVector) secondInts.convert(VectorOperators.I2F, 0);
            }
            sum += RUNS * height * 2 * PANEL;
            if (CODE == Kind.OFFSET) {
                firstSum = firstSum.add(CENTRE * count);
                secondSum = secondSum.add(CENTRE * count);
            }
            if (CODE == Kind.POINT) {
                var levels = FloatVector.broadcast(FLOATS, count);
                var zeros = FloatVector.fromArray(FLOATS, scales, place + PANEL);
                firstSum = levels.fma(zeros.neg().add(CENTRE), firstSum);
                zeros = FloatVector.fromArray(FLOATS, scales, place + PANEL + WIDTH);
                secondSum = levels.fma(zeros.neg().add(CENTRE), secondSum);
            }
            first = firstSum.mul(rows).fma(firstScales, first);
            second = secondSum.mul(rows).fma(secondScales, second);
            if (CODE == Kind.OFFSET) {
                float scaled = IN_BLOCK == 1 ? count * rows : -(count * rows);
                var levels = FloatVector.broadcast(FLOATS, scaled);
                first = levels.fma(FloatVector.fromArray(FLOATS, scales, place + PANEL), first);
                place += WIDTH;
                second = levels.fma(FloatVector.fromArray(FLOATS, scales, place + PANEL), second);
            }
        }
        first.intoArray(sums, at);
        second.intoArray(sums, at + WIDTH);
    }

    /// Returns the shorts in the lower halves.
    private static IntVector lower(IntVector both) {
        return both.lanewise(VectorOperators.LSHL, Short.SIZE)
                .lanewise(VectorOperators.ASHR, Short.SIZE);
    }

    /// Returns the place of a group's columns in a panel.
    private static long group(int group) {
        return (group >>> BLOCK_SHIFT) * BLOCK_BYTES
                + HEADER_BYTES
                + (group & IN_BLOCK - 1) * GROUP_BYTES;
    }

    /// Returns the place of a run's codes, or of their lower bits.
    private static long place(int run) {
        int within = run & RUNS_OF_GROUP - 1;
        return group(run >>> GROUP_SHIFT) + within * (RUN * PANEL * LOWER_BITS / (long) Byte.SIZE);
    }

    /// Returns the place of a run's higher bits.
    private static long high(int run) {
        int within = run & RUNS_OF_GROUP - 1;
        return group(run >>> GROUP_SHIFT)
                + HIGH_START
                + within * (RUN * PANEL * HIGH / (long) Byte.SIZE);
    }

    /// Returns the higher bits of the outputs' next four columns, the first of them in its place.
    ///
    /// @param at   place of the run's
    /// @param four counts the columns by four
    private static IntVector high(MemorySegment memory, long at, int four) {
        long place = at + (long) four * BlockFormat.IN_LANE * HIGH / Byte.SIZE * PANEL;
        int start = four * BlockFormat.IN_LANE * HIGH % Byte.SIZE;
        return ByteVector.fromMemorySegment(OUTPUTS, memory, place, ORDER)
                .convertShape(VectorOperators.ZERO_EXTEND_B2S, SHORTS, 0)
                .reinterpretAsInts()
                .lanewise(VectorOperators.LSHL, BlockFormat.NIBBLE_BITS - start);
    }

    /// Returns codes of eight bits.
    private static FloatVector codes(MemorySegment memory, long place) {
        return CODE == Kind.SIGNED
                ? BlockFormat.signed(memory, place)
                : (FloatVector) BlockFormat.unsigned(memory, place).convert(VectorOperators.I2F, 0);
    }

    /// One row, by both panels.
    private static void one(
            MemorySegment memory,
            long first,
            long second,
            int[] x,
            int firstX,
            int[] counts,
            int firstCount,
            int runs,
            short[] into) {
        int xs = firstX;
        int to = 0;
        for (int run = 0; run < runs; run++) {
            long at = place(run);
            long high = high(run);
            var first0 =
                    ShortVector.broadcast(SHORTS, (short) (-CENTRE * counts[firstCount + run]));
            var second0 = first0;
            for (int four = 0; four < RUN / BlockFormat.IN_LANE; four++) {
                var a = IntVector.fromMemorySegment(INTS, memory, first + at, ORDER);
                var b = IntVector.fromMemorySegment(INTS, memory, second + at, ORDER);
                var highA = a;
                var highB = b;
                if (HIGH > 0) {
                    highA = high(memory, first + high, four);
                    highB = high(memory, second + high, four);
                }
                for (int column = 0; column < BlockFormat.IN_LANE; column++) {
                    var bitsA = a.and(NIBBLES);
                    var bitsB = b.and(NIBBLES);
                    if (HIGH > 0) {
                        bitsA = bitsA.or(highA.and(HIGHER));
                        bitsB = bitsB.or(highB.and(HIGHER));
                        highA = highA.lanewise(VectorOperators.LSHR, HIGH);
                        highB = highB.lanewise(VectorOperators.LSHR, HIGH);
                    }
                    var codesA = bitsA.reinterpretAsShorts();
                    var codesB = bitsB.reinterpretAsShorts();
                    var x0 = IntVector.broadcast(INTS, x[xs]).reinterpretAsShorts();
                    first0 = first0.add(codesA.mul(x0));
                    second0 = second0.add(codesB.mul(x0));
                    a = a.lanewise(VectorOperators.LSHR, BlockFormat.NIBBLE_BITS);
                    b = b.lanewise(VectorOperators.LSHR, BlockFormat.NIBBLE_BITS);
                    xs++;
                }
                at += BYTES;
            }
            first0.intoArray(into, to);
            second0.intoArray(into, to + PANEL);
            to += 2 * PANEL;
        }
    }

    /// Two rows.
    private static void two(
            MemorySegment memory,
            long first,
            long second,
            int[] x,
            int firstX,
            int[] counts,
            int firstCount,
            int runs,
            short[] into) {
        int xs = firstX;
        int to = 0;
        for (int run = 0; run < runs; run++) {
            long at = place(run);
            long high = high(run);
            var first0 =
                    ShortVector.broadcast(SHORTS, (short) (-CENTRE * counts[firstCount + run * 2]));
            var second0 = first0;
            var first1 =
                    ShortVector.broadcast(
                            SHORTS, (short) (-CENTRE * counts[firstCount + run * 2 + 1]));
            var second1 = first1;
            for (int four = 0; four < RUN / BlockFormat.IN_LANE; four++) {
                var a = IntVector.fromMemorySegment(INTS, memory, first + at, ORDER);
                var b = IntVector.fromMemorySegment(INTS, memory, second + at, ORDER);
                var highA = a;
                var highB = b;
                if (HIGH > 0) {
                    highA = high(memory, first + high, four);
                    highB = high(memory, second + high, four);
                }
                for (int column = 0; column < BlockFormat.IN_LANE; column++) {
                    var bitsA = a.and(NIBBLES);
                    var bitsB = b.and(NIBBLES);
                    if (HIGH > 0) {
                        bitsA = bitsA.or(highA.and(HIGHER));
                        bitsB = bitsB.or(highB.and(HIGHER));
                        highA = highA.lanewise(VectorOperators.LSHR, HIGH);
                        highB = highB.lanewise(VectorOperators.LSHR, HIGH);
                    }
                    var codesA = bitsA.reinterpretAsShorts();
                    var codesB = bitsB.reinterpretAsShorts();
                    var x0 = IntVector.broadcast(INTS, x[xs]).reinterpretAsShorts();
                    first0 = first0.add(codesA.mul(x0));
                    second0 = second0.add(codesB.mul(x0));
                    var x1 = IntVector.broadcast(INTS, x[xs + 1]).reinterpretAsShorts();
                    first1 = first1.add(codesA.mul(x1));
                    second1 = second1.add(codesB.mul(x1));
                    a = a.lanewise(VectorOperators.LSHR, BlockFormat.NIBBLE_BITS);
                    b = b.lanewise(VectorOperators.LSHR, BlockFormat.NIBBLE_BITS);
                    xs += 2;
                }
                at += BYTES;
            }
            first0.intoArray(into, to);
            second0.intoArray(into, to + PANEL);
            first1.intoArray(into, to + 2 * PANEL);
            second1.intoArray(into, to + 3 * PANEL);
            to += 4 * PANEL;
        }
    }

    /// Four rows by one panel: with both there are more sums than registers.
    ///
    /// @param firstTo the panel's place among sums
    private static void four(
            MemorySegment memory,
            long first,
            int[] x,
            int firstX,
            int[] counts,
            int firstCount,
            int runs,
            short[] into,
            int firstTo) {
        int xs = firstX;
        int to = firstTo;
        for (int run = 0; run < runs; run++) {
            long at = place(run);
            long high = high(run);
            var first0 =
                    ShortVector.broadcast(SHORTS, (short) (-CENTRE * counts[firstCount + run * 4]));
            var first1 =
                    ShortVector.broadcast(
                            SHORTS, (short) (-CENTRE * counts[firstCount + run * 4 + 1]));
            var first2 =
                    ShortVector.broadcast(
                            SHORTS, (short) (-CENTRE * counts[firstCount + run * 4 + 2]));
            var first3 =
                    ShortVector.broadcast(
                            SHORTS, (short) (-CENTRE * counts[firstCount + run * 4 + 3]));
            for (int four = 0; four < RUN / BlockFormat.IN_LANE; four++) {
                var a = IntVector.fromMemorySegment(INTS, memory, first + at, ORDER);
                var highA = a;
                if (HIGH > 0) {
                    highA = high(memory, first + high, four);
                }
                for (int column = 0; column < BlockFormat.IN_LANE; column++) {
                    var bitsA = a.and(NIBBLES);
                    if (HIGH > 0) {
                        bitsA = bitsA.or(highA.and(HIGHER));
                        highA = highA.lanewise(VectorOperators.LSHR, HIGH);
                    }
                    var codesA = bitsA.reinterpretAsShorts();
                    var x0 = IntVector.broadcast(INTS, x[xs]).reinterpretAsShorts();
                    first0 = first0.add(codesA.mul(x0));
                    var x1 = IntVector.broadcast(INTS, x[xs + 1]).reinterpretAsShorts();
                    first1 = first1.add(codesA.mul(x1));
                    var x2 = IntVector.broadcast(INTS, x[xs + 2]).reinterpretAsShorts();
                    first2 = first2.add(codesA.mul(x2));
                    var x3 = IntVector.broadcast(INTS, x[xs + 3]).reinterpretAsShorts();
                    first3 = first3.add(codesA.mul(x3));
                    a = a.lanewise(VectorOperators.LSHR, BlockFormat.NIBBLE_BITS);
                    xs += 4;
                }
                at += BYTES;
            }
            first0.intoArray(into, to);
            first1.intoArray(into, to + 2 * PANEL);
            first2.intoArray(into, to + 4 * PANEL);
            first3.intoArray(into, to + 6 * PANEL);
            to += 8 * PANEL;
        }
    }

    /// Eight rows by one panel.
    private static void eight(
            MemorySegment memory,
            long first,
            int[] x,
            int firstX,
            int[] counts,
            int firstCount,
            int runs,
            short[] into,
            int firstTo) {
        int xs = firstX;
        int to = firstTo;
        for (int run = 0; run < runs; run++) {
            long at = place(run);
            long high = high(run);
            var first0 =
                    ShortVector.broadcast(SHORTS, (short) (-CENTRE * counts[firstCount + run * 8]));
            var first1 =
                    ShortVector.broadcast(
                            SHORTS, (short) (-CENTRE * counts[firstCount + run * 8 + 1]));
            var first2 =
                    ShortVector.broadcast(
                            SHORTS, (short) (-CENTRE * counts[firstCount + run * 8 + 2]));
            var first3 =
                    ShortVector.broadcast(
                            SHORTS, (short) (-CENTRE * counts[firstCount + run * 8 + 3]));
            var first4 =
                    ShortVector.broadcast(
                            SHORTS, (short) (-CENTRE * counts[firstCount + run * 8 + 4]));
            var first5 =
                    ShortVector.broadcast(
                            SHORTS, (short) (-CENTRE * counts[firstCount + run * 8 + 5]));
            var first6 =
                    ShortVector.broadcast(
                            SHORTS, (short) (-CENTRE * counts[firstCount + run * 8 + 6]));
            var first7 =
                    ShortVector.broadcast(
                            SHORTS, (short) (-CENTRE * counts[firstCount + run * 8 + 7]));
            for (int four = 0; four < RUN / BlockFormat.IN_LANE; four++) {
                var a = IntVector.fromMemorySegment(INTS, memory, first + at, ORDER);
                var highA = a;
                if (HIGH > 0) {
                    highA = high(memory, first + high, four);
                }
                for (int column = 0; column < BlockFormat.IN_LANE; column++) {
                    var bitsA = a.and(NIBBLES);
                    if (HIGH > 0) {
                        bitsA = bitsA.or(highA.and(HIGHER));
                        highA = highA.lanewise(VectorOperators.LSHR, HIGH);
                    }
                    var codesA = bitsA.reinterpretAsShorts();
                    var x0 = IntVector.broadcast(INTS, x[xs]).reinterpretAsShorts();
                    first0 = first0.add(codesA.mul(x0));
                    var x1 = IntVector.broadcast(INTS, x[xs + 1]).reinterpretAsShorts();
                    first1 = first1.add(codesA.mul(x1));
                    var x2 = IntVector.broadcast(INTS, x[xs + 2]).reinterpretAsShorts();
                    first2 = first2.add(codesA.mul(x2));
                    var x3 = IntVector.broadcast(INTS, x[xs + 3]).reinterpretAsShorts();
                    first3 = first3.add(codesA.mul(x3));
                    var x4 = IntVector.broadcast(INTS, x[xs + 4]).reinterpretAsShorts();
                    first4 = first4.add(codesA.mul(x4));
                    var x5 = IntVector.broadcast(INTS, x[xs + 5]).reinterpretAsShorts();
                    first5 = first5.add(codesA.mul(x5));
                    var x6 = IntVector.broadcast(INTS, x[xs + 6]).reinterpretAsShorts();
                    first6 = first6.add(codesA.mul(x6));
                    var x7 = IntVector.broadcast(INTS, x[xs + 7]).reinterpretAsShorts();
                    first7 = first7.add(codesA.mul(x7));
                    a = a.lanewise(VectorOperators.LSHR, BlockFormat.NIBBLE_BITS);
                    xs += 8;
                }
                at += BYTES;
            }
            first0.intoArray(into, to);
            first1.intoArray(into, to + 2 * PANEL);
            first2.intoArray(into, to + 4 * PANEL);
            first3.intoArray(into, to + 6 * PANEL);
            first4.intoArray(into, to + 8 * PANEL);
            first5.intoArray(into, to + 10 * PANEL);
            first6.intoArray(into, to + 12 * PANEL);
            first7.intoArray(into, to + 14 * PANEL);
            to += 16 * PANEL;
        }
    }

    /// One row, by both panels.
    private static void oneOfBytes(
            MemorySegment memory,
            long first,
            long second,
            float[] x,
            int firstX,
            int steps,
            float[] into) {
        int xs = firstX;
        int to = 0;
        for (int step = 0; step < steps; step++) {
            long at = place(step);
            var a0 = FloatVector.zero(FLOATS);
            var b0 = a0;
            var c0 = a0;
            var d0 = a0;
            for (int column = 0; column < STEP; column++) {
                var a = codes(memory, first + at);
                var b = codes(memory, first + at + WIDTH);
                var c = codes(memory, second + at);
                var d = codes(memory, second + at + WIDTH);
                var x0 = FloatVector.broadcast(FLOATS, x[xs]);
                a0 = x0.fma(a, a0);
                b0 = x0.fma(b, b0);
                c0 = x0.fma(c, c0);
                d0 = x0.fma(d, d0);
                xs++;
                at += PANEL;
            }
            a0.intoArray(into, to);
            b0.intoArray(into, to + 1 * WIDTH);
            c0.intoArray(into, to + 2 * WIDTH);
            d0.intoArray(into, to + 3 * WIDTH);
            to += 2 * PANEL;
        }
    }

    /// Two rows.
    private static void twoOfBytes(
            MemorySegment memory,
            long first,
            long second,
            float[] x,
            int firstX,
            int steps,
            float[] into) {
        int xs = firstX;
        int to = 0;
        for (int step = 0; step < steps; step++) {
            long at = place(step);
            var a0 = FloatVector.zero(FLOATS);
            var b0 = a0;
            var c0 = a0;
            var d0 = a0;
            var a1 = a0;
            var b1 = a0;
            var c1 = a0;
            var d1 = a0;
            for (int column = 0; column < STEP; column++) {
                var a = codes(memory, first + at);
                var b = codes(memory, first + at + WIDTH);
                var c = codes(memory, second + at);
                var d = codes(memory, second + at + WIDTH);
                var x0 = FloatVector.broadcast(FLOATS, x[xs]);
                a0 = x0.fma(a, a0);
                b0 = x0.fma(b, b0);
                c0 = x0.fma(c, c0);
                d0 = x0.fma(d, d0);
                var x1 = FloatVector.broadcast(FLOATS, x[xs + 1]);
                a1 = x1.fma(a, a1);
                b1 = x1.fma(b, b1);
                c1 = x1.fma(c, c1);
                d1 = x1.fma(d, d1);
                xs += 2;
                at += PANEL;
            }
            a0.intoArray(into, to);
            b0.intoArray(into, to + 1 * WIDTH);
            c0.intoArray(into, to + 2 * WIDTH);
            d0.intoArray(into, to + 3 * WIDTH);
            a1.intoArray(into, to + 4 * WIDTH);
            b1.intoArray(into, to + 5 * WIDTH);
            c1.intoArray(into, to + 6 * WIDTH);
            d1.intoArray(into, to + 7 * WIDTH);
            to += 4 * PANEL;
        }
    }

    /// Four rows of a tile by one panel.
    ///
    /// @param height of the tile
    private static void fourOfBytes(
            MemorySegment memory,
            long first,
            float[] x,
            int firstX,
            int height,
            int steps,
            float[] into,
            int firstTo) {
        int xs = firstX;
        int to = firstTo;
        for (int step = 0; step < steps; step++) {
            long at = place(step);
            var a0 = FloatVector.zero(FLOATS);
            var b0 = a0;
            var a1 = a0;
            var b1 = a0;
            var a2 = a0;
            var b2 = a0;
            var a3 = a0;
            var b3 = a0;
            for (int column = 0; column < STEP; column++) {
                var a = codes(memory, first + at);
                var b = codes(memory, first + at + WIDTH);
                var x0 = FloatVector.broadcast(FLOATS, x[xs]);
                a0 = x0.fma(a, a0);
                b0 = x0.fma(b, b0);
                var x1 = FloatVector.broadcast(FLOATS, x[xs + 1]);
                a1 = x1.fma(a, a1);
                b1 = x1.fma(b, b1);
                var x2 = FloatVector.broadcast(FLOATS, x[xs + 2]);
                a2 = x2.fma(a, a2);
                b2 = x2.fma(b, b2);
                var x3 = FloatVector.broadcast(FLOATS, x[xs + 3]);
                a3 = x3.fma(a, a3);
                b3 = x3.fma(b, b3);
                xs += height;
                at += PANEL;
            }
            a0.intoArray(into, to);
            b0.intoArray(into, to + 1 * WIDTH);
            a1.intoArray(into, to + 4 * WIDTH);
            b1.intoArray(into, to + 5 * WIDTH);
            a2.intoArray(into, to + 8 * WIDTH);
            b2.intoArray(into, to + 9 * WIDTH);
            a3.intoArray(into, to + 12 * WIDTH);
            b3.intoArray(into, to + 13 * WIDTH);
            to += 2 * height * PANEL;
        }
    }
}
