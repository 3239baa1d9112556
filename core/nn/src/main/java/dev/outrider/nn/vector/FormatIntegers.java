package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.PANEL;

import dev.outrider.nn.vector.Tiles.Tile;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// Products of tiles of rows in levels and panels of codes. Like [Tiles#of], [IntegerTiles#of] defines a class from this class
/// file for each format and number of rows.
///
/// The sum of a run of columns is that of `(c - m)` times levels, with codes c and the middle code m, so that it fits 16 bits. It
/// begins with -m times the sum of the row's levels in the run, and then adds products of codes. Intermediate sums may overflow.
///
/// The numbers of each row have separate variables, as in [FormatTiles]. Sums are written to memory and [FormatSums] scales them,
/// because a loop for both has more nodes than the compiler inlines.
final class FormatIntegers implements IntegerTiles {
    private static final Tile TILE = Tiles.tile(MethodHandles.lookup());
    private static final BlockFormat FORMAT = TILE.format();
    private static final int ROWS = TILE.rows();

    /// Whether both panels are multiplied at once. With more rows there are more sums than registers.
    private static final boolean BOTH = ROWS <= 2;

    private static final int GROUP = FORMAT.group();
    private static final int IN_BLOCK = FORMAT.inBlock();
    private static final long BLOCK_BYTES = FORMAT.bytes();
    private static final long HEADER_BYTES = FORMAT.headerBytes();
    private static final long GROUP_BYTES = FORMAT.groupBytes();
    private static final int HIGH = FORMAT.high();
    private static final long HIGH_START = FORMAT.high(0, 0);
    private static final int TWICE = 1 << Short.SIZE | 1;

    /// The mask of the lower four bits in the codes of two outputs. Both codes are shifted at once, and the mask removes bits of
    /// the other one.
    private static final int NIBBLES = BlockFormat.NIBBLE * TWICE;

    /// The mask of the higher bits in the codes of two outputs.
    private static final int HIGHER = ((1 << HIGH) - 1 << BlockFormat.NIBBLE_BITS) * TWICE;

    private static final int RUN = IntegerTiles.run(FORMAT);

    private static final int RUNS_OF_GROUP = GROUP / RUN;

    /// Runs in a group, and groups in a block, as powers of two.
    private static final int GROUP_SHIFT = Integer.numberOfTrailingZeros(RUNS_OF_GROUP);

    private static final int BLOCK_SHIFT = Integer.numberOfTrailingZeros(IN_BLOCK);

    /// The middle code m.
    private static final int CENTRE = FORMAT.middle();

    private static final VectorSpecies<Short> SHORTS =
            VectorSpecies.of(short.class, FLOATS.vectorShape());

    private static final Scaling SCALING = Scaling.of(TILE);

    /// A vector of one byte for each output of a panel.
    private static final VectorSpecies<Byte> OUTPUTS =
            VectorSpecies.of(byte.class, VectorShape.forBitSize(PANEL * Byte.SIZE));

    FormatIntegers() {}

    @Override
    public void multiply(
            MemorySegment memory,
            long first,
            long second,
            RoundedRows x,
            int tile,
            int column,
            int columns,
            Sums integers) {
        int firstX = x.offset(tile) + column * ROWS;
        int[] pairs = x.pairs();
        int[] counts = x.sums(RUN);
        int count = firstX / RUN;
        int runs = columns / RUN;
        short[] into = integers.sums;
        if (BOTH) {
            multiply(memory, first, second, pairs, firstX, counts, count, runs, into, 0);
        } else {
            multiply(memory, first, first, pairs, firstX, counts, count, runs, into, 0);
            multiply(memory, second, second, pairs, firstX, counts, count, runs, into, PANEL);
        }
    }

    @Override
    public Scaling scaling() {
        return SCALING;
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
        return group(run >>> GROUP_SHIFT)
                + within * (RUN * PANEL * BlockFormat.NIBBLE_BITS / (long) Byte.SIZE);
    }

    /// Returns the place of a run's higher bits.
    private static long high(int run) {
        int within = run & RUNS_OF_GROUP - 1;
        return group(run >>> GROUP_SHIFT)
                + HIGH_START
                + within * (RUN * PANEL * HIGH / (long) Byte.SIZE);
    }

    /// Returns the higher bits of the outputs' next four columns, those of the first column in the lowest place.
    ///
    /// @param at   place of the run's higher bits
    /// @param four counts the columns by four
    private static IntVector high(MemorySegment memory, long at, int four) {
        long place = at + (long) four * BlockFormat.IN_LANE * HIGH / Byte.SIZE * PANEL;
        int start = four * BlockFormat.IN_LANE * HIGH % Byte.SIZE;
        return ByteVector.fromMemorySegment(OUTPUTS, memory, place, ORDER)
                .convertShape(VectorOperators.ZERO_EXTEND_B2S, SHORTS, 0)
                .reinterpretAsInts()
                .lanewise(VectorOperators.LSHL, BlockFormat.NIBBLE_BITS - start);
    }

    /// Returns the initial sums of a row in a run.
    ///
    /// @param count the sum of the row's levels in the run
    private static ShortVector start(int count) {
        return ShortVector.broadcast(SHORTS, (short) (-CENTRE * count));
    }

    /// Multiplies all rows by one panel or by both.
    private static void multiply(
            MemorySegment memory,
            long first,
            long second,
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
            int count = firstCount + run * ROWS;
            var first0 = start(counts[count]);
            var second0 = first0;
            var first1 = first0;
            var second1 = first0;
            var first2 = first0;
            var first3 = first0;
            var first4 = first0;
            var first5 = first0;
            var first6 = first0;
            var first7 = first0;
            if (ROWS > 1) {
                first1 = start(counts[count + 1]);
                second1 = first1;
            }
            if (ROWS > 2) {
                first2 = start(counts[count + 2]);
                first3 = start(counts[count + 3]);
            }
            if (ROWS > 4) {
                first4 = start(counts[count + 4]);
                first5 = start(counts[count + 5]);
                first6 = start(counts[count + 6]);
                first7 = start(counts[count + 7]);
            }
            for (int four = 0; four < RUN / BlockFormat.IN_LANE; four++) {
                var a = IntVector.fromMemorySegment(INTS, memory, first + at, ORDER);
                var b = a;
                var highA = a;
                var highB = a;
                if (BOTH) {
                    b = IntVector.fromMemorySegment(INTS, memory, second + at, ORDER);
                }
                if (HIGH > 0) {
                    highA = high(memory, first + high, four);
                }
                if (HIGH > 0 && BOTH) {
                    highB = high(memory, second + high, four);
                }
                for (int column = 0; column < BlockFormat.IN_LANE; column++) {
                    var codesA = codes(a, highA);
                    var codesB = BOTH ? codes(b, highB) : codesA;
                    var x0 = IntVector.broadcast(INTS, x[xs]).reinterpretAsShorts();
                    first0 = first0.add(codesA.mul(x0));
                    if (BOTH) {
                        second0 = second0.add(codesB.mul(x0));
                    }
                    if (ROWS > 1) {
                        var x1 = IntVector.broadcast(INTS, x[xs + 1]).reinterpretAsShorts();
                        first1 = first1.add(codesA.mul(x1));
                        if (BOTH) {
                            second1 = second1.add(codesB.mul(x1));
                        }
                    }
                    if (ROWS > 2) {
                        var x2 = IntVector.broadcast(INTS, x[xs + 2]).reinterpretAsShorts();
                        first2 = first2.add(codesA.mul(x2));
                        var x3 = IntVector.broadcast(INTS, x[xs + 3]).reinterpretAsShorts();
                        first3 = first3.add(codesA.mul(x3));
                    }
                    if (ROWS > 4) {
                        var x4 = IntVector.broadcast(INTS, x[xs + 4]).reinterpretAsShorts();
                        first4 = first4.add(codesA.mul(x4));
                        var x5 = IntVector.broadcast(INTS, x[xs + 5]).reinterpretAsShorts();
                        first5 = first5.add(codesA.mul(x5));
                        var x6 = IntVector.broadcast(INTS, x[xs + 6]).reinterpretAsShorts();
                        first6 = first6.add(codesA.mul(x6));
                        var x7 = IntVector.broadcast(INTS, x[xs + 7]).reinterpretAsShorts();
                        first7 = first7.add(codesA.mul(x7));
                    }
                    a = a.lanewise(VectorOperators.LSHR, BlockFormat.NIBBLE_BITS);
                    if (HIGH > 0) {
                        highA = highA.lanewise(VectorOperators.LSHR, HIGH);
                    }
                    if (BOTH) {
                        b = b.lanewise(VectorOperators.LSHR, BlockFormat.NIBBLE_BITS);
                    }
                    if (HIGH > 0 && BOTH) {
                        highB = highB.lanewise(VectorOperators.LSHR, HIGH);
                    }
                    xs += ROWS;
                }
                at += BYTES;
            }
            first0.intoArray(into, to);
            if (BOTH) {
                second0.intoArray(into, to + PANEL);
            }
            if (ROWS > 1) {
                first1.intoArray(into, to + 2 * PANEL);
                if (BOTH) {
                    second1.intoArray(into, to + 3 * PANEL);
                }
            }
            if (ROWS > 2) {
                first2.intoArray(into, to + 4 * PANEL);
                first3.intoArray(into, to + 6 * PANEL);
            }
            if (ROWS > 4) {
                first4.intoArray(into, to + 8 * PANEL);
                first5.intoArray(into, to + 10 * PANEL);
                first6.intoArray(into, to + 12 * PANEL);
                first7.intoArray(into, to + 14 * PANEL);
            }
            to += 2 * ROWS * PANEL;
        }
    }

    /// Returns the codes of the outputs' next column.
    private static ShortVector codes(IntVector lower, IntVector higher) {
        var bits = lower.and(NIBBLES);
        return (HIGH > 0 ? bits.or(higher.and(HIGHER)) : bits).reinterpretAsShorts();
    }
}
