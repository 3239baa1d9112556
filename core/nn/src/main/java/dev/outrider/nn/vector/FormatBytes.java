package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.vector.Tiles.Tile;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Products of tiles of rows in levels and panels of codes in eight bits; a class for each tile, like [FormatIntegers].
///
/// Codes and levels are multiplied as floats, because sums of 32 products are exact in them. Each column is read so that its code
/// is the last byte of a lane, which has the sign; the other bytes may belong to other codes or to the scales.
///
/// Few rows have several streams of codes, so that an addition does not wait for the previous one; many rows have as many sums as
/// registers allow.
final class FormatBytes implements IntegerTiles {
    private static final Tile TILE = Tiles.tile(MethodHandles.lookup());
    private static final int ROWS = TILE.rows();

    /// Vectors of codes that are multiplied at once, of up to four in a column of two panels.
    private static final int STREAMS = Math.min(4, (FLOATS.vectorBitSize() == 512 ? 16 : 8) / ROWS);

    private static final int SUMS = ROWS * STREAMS;
    private static final int STEP = IntegerTiles.step(TILE.format());
    private static final int STEPS_OF_GROUP = TILE.format().group() / STEP;
    private static final long HEADER_BYTES = TILE.format().headerBytes();

    /// The last byte of a lane.
    private static final int TOP = BlockFormat.IN_LANE - 1;

    private static final Scaling SCALING = Scaling.of(TILE);

    FormatBytes() {}

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
        int xs = x.offset(tile) + column * ROWS;
        for (int stream = 0; stream < 4; stream += STREAMS) {
            long from = (stream < 2 ? first : second) + stream % 2 * BYTES;
            float[] into = integers.floats;
            multiply(memory, from, second, x.floats(), xs, columns / STEP, into, stream * WIDTH);
        }
    }

    @Override
    public Scaling scaling() {
        return SCALING;
    }

    /// Multiplies all rows by a vector of codes in a column, by those of a panel, or by those of both panels.
    ///
    /// @param first start of the first vector's half
    private static void multiply(
            MemorySegment memory,
            long first,
            long second,
            float[] x,
            int firstX,
            int steps,
            float[] into,
            int firstTo) {
        for (int step = 0; step < steps; step++) {
            long at = step * STEP * PANEL + (step / STEPS_OF_GROUP + 1) * HEADER_BYTES;
            int xs = firstX + step * STEP * ROWS;
            var sum0 = FloatVector.zero(FLOATS);
            var sum1 = sum0;
            var sum2 = sum0;
            var sum3 = sum0;
            var sum4 = sum0;
            var sum5 = sum0;
            var sum6 = sum0;
            var sum7 = sum0;
            var sum8 = sum0;
            var sum9 = sum0;
            var sum10 = sum0;
            var sum11 = sum0;
            var sum12 = sum0;
            var sum13 = sum0;
            var sum14 = sum0;
            var sum15 = sum0;
            for (int column = 0; column < STEP; column++) {
                int within = column & BlockFormat.IN_LANE - 1;
                long next = at + (long) (column - within) * PANEL + within - TOP;
                var a = top(memory, first + next);
                var b = STREAMS > 1 ? top(memory, first + next + BYTES) : a;
                var c = STREAMS > 2 ? top(memory, second + next) : a;
                var d = STREAMS > 2 ? top(memory, second + next + BYTES) : a;
                int place = xs + column * ROWS;
                sum0 = add(stream(0, a, b, c, d), x[place + 0 % ROWS], sum0);
                sum1 = add(stream(1, a, b, c, d), x[place + 1 % ROWS], sum1);
                sum2 = add(stream(2, a, b, c, d), x[place + 2 % ROWS], sum2);
                sum3 = add(stream(3, a, b, c, d), x[place + 3 % ROWS], sum3);
                if (SUMS > 4) {
                    sum4 = add(stream(4, a, b, c, d), x[place + 4 % ROWS], sum4);
                    sum5 = add(stream(5, a, b, c, d), x[place + 5 % ROWS], sum5);
                    sum6 = add(stream(6, a, b, c, d), x[place + 6 % ROWS], sum6);
                    sum7 = add(stream(7, a, b, c, d), x[place + 7 % ROWS], sum7);
                }
                if (SUMS > 8) {
                    sum8 = add(stream(8, a, b, c, d), x[place + 8 % ROWS], sum8);
                    sum9 = add(stream(9, a, b, c, d), x[place + 9 % ROWS], sum9);
                    sum10 = add(stream(10, a, b, c, d), x[place + 10 % ROWS], sum10);
                    sum11 = add(stream(11, a, b, c, d), x[place + 11 % ROWS], sum11);
                    sum12 = add(stream(12, a, b, c, d), x[place + 12 % ROWS], sum12);
                    sum13 = add(stream(13, a, b, c, d), x[place + 13 % ROWS], sum13);
                    sum14 = add(stream(14, a, b, c, d), x[place + 14 % ROWS], sum14);
                    sum15 = add(stream(15, a, b, c, d), x[place + 15 % ROWS], sum15);
                }
            }
            int to = firstTo + step * ROWS * 2 * PANEL;
            sum0.intoArray(into, to + place(0));
            sum1.intoArray(into, to + place(1));
            sum2.intoArray(into, to + place(2));
            sum3.intoArray(into, to + place(3));
            if (SUMS > 4) {
                sum4.intoArray(into, to + place(4));
                sum5.intoArray(into, to + place(5));
                sum6.intoArray(into, to + place(6));
                sum7.intoArray(into, to + place(7));
            }
            if (SUMS > 8) {
                sum8.intoArray(into, to + place(8));
                sum9.intoArray(into, to + place(9));
                sum10.intoArray(into, to + place(10));
                sum11.intoArray(into, to + place(11));
                sum12.intoArray(into, to + place(12));
                sum13.intoArray(into, to + place(13));
                sum14.intoArray(into, to + place(14));
                sum15.intoArray(into, to + place(15));
            }
        }
    }

    /// Returns the last bytes of lanes, with their sign.
    private static FloatVector top(MemorySegment memory, long at) {
        return (FloatVector)
                IntVector.fromMemorySegment(INTS, memory, at, ORDER)
                        .lanewise(VectorOperators.ASHR, Integer.SIZE - Byte.SIZE)
                        .convert(VectorOperators.I2F, 0);
    }

    /// Returns the stream of a sum. Sums are those of all rows for the first stream, then for the next one.
    private static FloatVector stream(
            int sum, FloatVector a, FloatVector b, FloatVector c, FloatVector d) {
        int stream = sum / ROWS;
        return stream == 0 ? a : stream == 1 ? b : stream == 2 ? c : d;
    }

    private static FloatVector add(FloatVector codes, float x, FloatVector sum) {
        return FloatVector.broadcast(FLOATS, x).fma(codes, sum);
    }

    /// Returns the place of a sum among those of a step.
    private static int place(int sum) {
        return sum % ROWS * 2 * PANEL + sum / ROWS * WIDTH;
    }
}
