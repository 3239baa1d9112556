package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.vector.BlockFormat.Kind;
import dev.outrider.nn.vector.Panels.ScaleReader;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Computes a format's scales. As for [FormatTiles], [Tiles#define] defines a class from this class file for each format. One
/// class for all formats took ten times as long, which was half the time of the products of one row.
final class FormatScales implements ScaleReader {
    private static final BlockFormat FORMAT = Tiles.tile(MethodHandles.lookup()).format();
    private static final Kind CODE = FORMAT.kind();
    private static final int ROWS = FORMAT.scaleRows();
    private static final int IN_BLOCK = FORMAT.inBlock();
    private static final long BLOCK_BYTES = FORMAT.bytes();

    /// Start of the bytes that multiply the scales.
    private static final long COUNTS = ROWS * BlockFormat.HALVES;

    FormatScales() {}

    @Override
    public void read(MemorySegment memory, long from, int groups, float[] into, int at) {
        int to = at;
        long block = from;
        for (int first = 0; first < groups; first += IN_BLOCK) {
            if (FORMAT.halves()) {
                halves(memory, block, Math.min(IN_BLOCK, groups - first), into, to);
            } else if (CODE == Kind.E2M1) {
                powers(memory, block).intoArray(into, to);
                powers(memory, block + WIDTH).intoArray(into, to + WIDTH);
            } else {
                singles(memory, block, into, to);
            }
            to += IN_BLOCK * ROWS * PANEL;
            block += BLOCK_BYTES;
        }
    }

    private static void singles(MemorySegment memory, long block, float[] into, int at) {
        for (int half = 0; half < PANEL; half += WIDTH) {
            long place = block + (long) half * Float.BYTES;
            FloatVector.fromMemorySegment(FLOATS, memory, place, ORDER).intoArray(into, at + half);
            if (CODE == Kind.POINT) {
                var zeros = BlockFormat.unsigned(memory, block + BlockFormat.SINGLES + half);
                ((FloatVector) zeros.convert(VectorOperators.I2F, 0))
                        .intoArray(into, at + PANEL + half);
            }
        }
    }

    /// Computes scales and offsets: the 16-bit floats, times the counts of each group if there are any.
    private static void halves(MemorySegment memory, long block, int groups, float[] into, int at) {
        for (int row = 0; row < ROWS; row++) {
            var pairs =
                    IntVector.fromMemorySegment(
                            INTS, memory, block + row * BlockFormat.HALVES, ORDER);
            var lower = BlockFormat.halfFloats(pairs.lanewise(VectorOperators.LSHL, Short.SIZE));
            var upper = BlockFormat.halfFloats(pairs);
            int to = at + row * PANEL;
            if (IN_BLOCK == 1) {
                lower.intoArray(into, to);
                upper.intoArray(into, to + WIDTH);
                continue;
            }
            long counts = block + COUNTS + (long) row * IN_BLOCK * PANEL;
            for (int group = 0; group < groups; group++) {
                lower.mul(BlockFormat.signed(memory, counts)).intoArray(into, to);
                upper.mul(BlockFormat.signed(memory, counts + WIDTH)).intoArray(into, to + WIDTH);
                counts += PANEL;
                to += ROWS * PANEL;
            }
        }
    }

    /// Returns halves of powers of two. The halves of the two lowest powers are subnormal numbers.
    private static FloatVector powers(MemorySegment memory, long at) {
        var exponents = BlockFormat.unsigned(memory, at);
        var lowest =
                IntVector.broadcast(INTS, 0x00200000).lanewise(VectorOperators.LSHL, exponents);
        return exponents
                .sub(1)
                .lanewise(VectorOperators.LSHL, 23)
                .blend(lowest, exponents.compare(VectorOperators.LT, 2))
                .reinterpretAsFloats();
    }
}
