package dev.outrider.treeverify.pass;

import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A matrix of levels in 8 or 4 bits with a 16-bit scale for every 32 numbers of a row, as GGUF's Q8_0 and Q4_0 have it, packed into
/// 32-bit integers that kernels on every device can read.
///
/// A row is filled up to a multiple of 64 numbers, with zeros. First come its levels, in blocks of eight integers: 32 numbers in 8 bits,
/// 64 in 4. Part p of an integer, counted from the lowest bits, is a level plus half of what the bits hold. Four parts of one integer
/// belong to one scale. So do eight neighbouring integers, and number i of an eighth lies in integer i: lanes that read neighbours
/// multiply neighbours. Which eighths the parts are changes from block to block, because in the same order 32 lanes would multiply
/// numbers that a device keeps in the same quarter of its banks.
///
/// Behind the levels come the scales, two an integer, in units of `2^-24` as [HalfMatrix] has them: binary16's numbers below 4.
public final class LevelMatrix {
    /// What levels times scales, as kernels decode them, are multiplied by.
    public static final float UNIT = 0x1p-24f;

    private static final int WIDTH = 64;

    private LevelMatrix() {}

    /// The levels and the scale of a group of a row.
    @FunctionalInterface
    public interface Groups {
        /// Reads a group.
        ///
        /// @param levels receives [Levels#BLOCK] levels; beyond the row's numbers anything
        /// @return the scale, a 16-bit float
        short read(int row, int group, byte[] levels);
    }

    /// Integers of a row, or its floats. Kernels call it, as the others with `bits`.
    ///
    /// @param bits of a number: 8 or 4, or for rows of other formats 32 or 16
    /// @param size numbers of the row
    public static int words(int bits, int size) {
        return numbered(bits, size) + (bits < 16 ? Math.ceilDiv(size, WIDTH) : 0);
    }

    /// Those of them that hold numbers, and not scales.
    public static int numbered(int bits, int size) {
        int words = bits == 32 ? 1 : bits == 16 ? HalfMatrix.HALF_BLOCK : 2 * bits;
        return Math.ceilDiv(size, words * (32 / bits)) * words;
    }

    /// The number that a part of an integer holds.
    public static int column(int bits, int word, int part) {
        int block = word / 8;
        return block * (256 / bits) + part / 4 * 32 + (part + block) % 4 * 8 + word % 8;
    }

    /// Which integer of its row holds a number.
    public static int wordOf(int bits, int column) {
        return column / (256 / bits) * 8 + column % 8;
    }

    /// Which part of its integer holds a number.
    public static int partOf(int bits, int column) {
        int block = column / (256 / bits);
        return column % (256 / bits) / 32 * 4 + (column % 32 / 8 + 4 - block % 4) % 4;
    }

    /// A level.
    ///
    /// @param word an integer of levels
    public static float level(int bits, int word, int part) {
        float code = (word >> (bits * part)) & ((1 << bits) - 1);
        return code - (1 << (bits - 1));
    }

    /// Groups of rounded numbers.
    ///
    /// @param floats `[rows, size]`
    public static Groups rounded(Levels kept, MemorySegment floats, int size) {
        return (row, group, levels) -> {
            int first = group * Levels.BLOCK;
            int count = Math.min(Levels.BLOCK, size - first);
            long at = ((long) row * size + first) * Float.BYTES;
            var numbers = new float[Levels.BLOCK];
            MemorySegment.copy(floats, ValueLayout.JAVA_FLOAT, at, numbers, 0, count);
            return kept.round(numbers, levels);
        };
    }

    /// Packs a matrix.
    ///
    /// @param what  what it holds, for errors
    /// @param words where the integers go, `[rows, words(bits, size)]`
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if a scale is 4 or more
    public static void pack(
            String what, int bits, int rows, int size, Groups groups, MemorySegment words) {
        int width = numbered(bits, size);
        var levels = new byte[width * (32 / bits)];
        var block = new byte[Levels.BLOCK];
        long at = 0;
        for (int row = 0; row < rows; row++) {
            var scales = new int[levels.length / WIDTH];
            for (int first = 0; first < size; first += Levels.BLOCK) {
                int group = first / Levels.BLOCK;
                float scale = Float.float16ToFloat(groups.read(row, group, block));
                if (!(Math.abs(scale) < 4)) {
                    throw new OutriderException(
                            ErrorCode.CHECKPOINT_UNSUPPORTED,
                            "%s has a block of the scale %s, but devices hold scales below 4"
                                    .formatted(what, scale),
                            "Set target.precision to f32.");
                }
                System.arraycopy(block, 0, levels, first, Math.min(block.length, size - first));
                scales[group / 2] |= HalfMatrix.code(scale, UNIT) << (group % 2 * 16);
            }
            for (int word = 0; word < width; word++) {
                int packed = 0;
                for (int part = 0; part < 32 / bits; part++) {
                    int level = levels[column(bits, word, part)] + (1 << (bits - 1));
                    packed |= level << (bits * part);
                }
                words.setAtIndex(ValueLayout.JAVA_INT, at++, packed);
            }
            for (int pair : scales) {
                words.setAtIndex(ValueLayout.JAVA_INT, at++, pair);
            }
        }
    }
}
