package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.vector.BlockFormat.Kind;
import dev.outrider.nn.vector.IntegerTiles.Scaling;
import dev.outrider.nn.vector.IntegerTiles.Sums;
import dev.outrider.nn.vector.Tiles.Tile;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// Scales sums of integers. Like [FormatIntegers], a class is defined from this class file for each format and number of rows.
final class FormatSums implements Scaling {
    private static final Tile TILE = Tiles.tile(MethodHandles.lookup());
    private static final BlockFormat FORMAT = TILE.format();
    private static final int ROWS = TILE.rows();
    private static final Kind CODE = FORMAT.kind();
    private static final int BITS = FORMAT.bits();
    private static final int GROUP = FORMAT.group();
    private static final int IN_BLOCK = FORMAT.inBlock();

    /// Whether sums have 32 bits.
    private static final boolean WIDE = BITS == Byte.SIZE;

    /// Rows of scales of a group, and the scales of a group.
    private static final int SCALED = FORMAT.scaleRows();

    private static final int GROUP_SCALES = SCALED * PANEL;

    /// Columns that have the same scales.
    private static final int STEP = IntegerTiles.step(FORMAT);

    /// Sums of 16 bits in a step.
    private static final int RUNS = WIDE ? 1 : STEP / IntegerTiles.run(FORMAT);

    /// The middle code of formats with offsets or zero points.
    private static final int CENTRE = 1 << BITS - 1;

    private static final VectorSpecies<Short> SHORTS =
            VectorSpecies.of(short.class, FLOATS.vectorShape());

    FormatSums() {}

    @Override
    public void scale(
            Sums integers,
            float[] scales,
            RoundedRows x,
            int tile,
            int column,
            int columns,
            float[] sums,
            int at) {
        int firstX = x.offset(tile) + column * ROWS;
        int steps = columns / STEP;
        int groupScales = Math.ceilDiv(columns, GROUP) * GROUP_SCALES;
        for (int row = 0; row < ROWS; row++) {
            for (int panel = 0; panel < 2; panel++) {
                int place = (row * 2 + panel) * PANEL;
                scale(
                        integers,
                        place,
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
        float[] floats = integers.floats;
        short[] shorts = integers.sums;
        int sum = from;
        for (int step = 0; step < steps; step++) {
            float rows = rowScales[rowScale + step * STEP / RoundedRows.BLOCK * ROWS];
            float count = SCALED > 1 ? counts[firstCount + step * ROWS] : 0;
            int place = firstScale + step * STEP / GROUP * GROUP_SCALES;
            var firstScales = FloatVector.fromArray(FLOATS, scales, place);
            var secondScales = FloatVector.fromArray(FLOATS, scales, place + WIDTH);
            var firstSum = WIDE ? floats(floats, sum) : floats(lower(shorts(shorts, sum)));
            var secondSum = WIDE ? floats(floats, sum + WIDTH) : floats(upper(shorts(shorts, sum)));
            if (RUNS > 1) {
                int next = sum + ROWS * 2 * PANEL;
                firstSum = firstSum.add(floats(lower(shorts(shorts, next))));
                secondSum = secondSum.add(floats(upper(shorts(shorts, next))));
            }
            sum += RUNS * ROWS * 2 * PANEL;
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

    private static FloatVector floats(float[] sums, int at) {
        return FloatVector.fromArray(FLOATS, sums, at);
    }

    private static FloatVector floats(IntVector sums) {
        return (FloatVector) sums.convert(VectorOperators.I2F, 0);
    }

    private static IntVector shorts(short[] sums, int at) {
        return ShortVector.fromArray(SHORTS, sums, at).reinterpretAsInts();
    }

    /// Returns the 16-bit integers in the upper halves, with their sign.
    private static IntVector upper(IntVector both) {
        return both.lanewise(VectorOperators.ASHR, Short.SIZE);
    }

    /// Returns the 16-bit integers in the lower halves, with their sign.
    private static IntVector lower(IntVector both) {
        return both.lanewise(VectorOperators.LSHL, Short.SIZE)
                .lanewise(VectorOperators.ASHR, Short.SIZE);
    }
}
