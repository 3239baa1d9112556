package dev.outrider.treeverify.pass;

import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.gguf.WeightBlock;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.OptionalInt;

/// A matrix of levels in 4, 5, 6 or 8 bits with scales, and perhaps offsets, of groups of 16 or 32 numbers, as GGUF's blocks have it,
/// packed into 32-bit integers that kernels on every device can read. A number is `scale code - offset`, or, without offsets,
/// `scale (code - zero)`, where zero is half of what the bits hold.
///
/// A *form* says how: bits of a number, and flags. A matrix whose rows come from matrices of several forms has a form that holds all of
/// them ([#join]).
///
/// A row is filled up to a multiple of 64 numbers, with zeros. It has four parts:
///
/// - the lower four bits of codes, in blocks of eight integers and 64 numbers. Four parts of one integer belong to 32 neighbours, two of
///   them to 16. So do eight neighbouring integers, and number i of an eighth lies in integer i: lanes that read neighbours multiply
///   neighbours. Which eighths the parts are changes from block to block, because in the same order 32 lanes would multiply numbers that
///   a device keeps in the same quarter of its banks;
/// - the higher bits, in the same order: an integer has those of one, two or four blocks;
/// - where scales are counted in units, the counts: bytes, plus 128, a group's scale and, if it has one, its offset;
/// - units of 256 numbers, or scales of 32: 16 bits, in units of `2^-24` as [HalfMatrix] has them: binary16's numbers below 4. Offsets
///   lie beside them.
public final class LevelMatrix {
    /// What levels times scales, as kernels decode them, are multiplied by.
    public static final float UNIT = 0x1p-24f;

    /// Flag of a form: scales for 16 numbers.
    private static final int HALVES = 256;

    /// Flag of a form: groups have offsets.
    private static final int OFFSETS = 512;

    /// Flag of a form: scales are counted in units.
    private static final int COUNTED = 1024;

    /// Flag of a form: units are of 32 numbers, and not of 256.
    private static final int OF_32 = 2048;

    private static final int WIDTH = 64;
    private static final int LOW = 4;
    private static final int BYTE = 256;
    private static final int MIDDLE = 128;
    private static final int LEAST_GROUP = 16;

    /// Two zeros in 16 bits.
    private static final int ZEROS = 0x80008000;

    private LevelMatrix() {}

    /// Reads a block of a row; beyond the row's numbers it may have anything.
    @FunctionalInterface
    public interface Blocks {
        void read(int row, int index, WeightBlock into);
    }

    /// The form that holds a GGUF format's numbers exactly, if they are levels with scales.
    public static OptionalInt form(GgufType type) {
        int bits =
                switch (type) {
                    case Q2_K, Q3_K, Q4_0, Q4_1, Q4_K -> 4;
                    case Q5_0, Q5_1, Q5_K -> 5;
                    case Q6_K -> 6;
                    case Q8_0 -> 8;
                    case F32, F16, BF16, MXFP4 -> 0;
                };
        return bits == 0
                ? OptionalInt.empty()
                : OptionalInt.of(
                        bits
                                + (type.group() == LEAST_GROUP ? HALVES : 0)
                                + (type.offsets() ? OFFSETS : 0)
                                + (type.groups() > 1 ? COUNTED : OF_32));
    }

    /// The form that holds what two forms hold: 32-bit floats where one of them is no form of levels.
    public static int join(int one, int other) {
        if (one == other) {
            return one;
        }
        int bits = Math.max(bits(one), bits(other));
        return bits < Short.SIZE ? bits + ((one | other) / BYTE * BYTE) : Float.SIZE;
    }

    /// Bits of a number: 4, 5, 6 or 8; of other forms of matrices 32 or 16. Kernels call it, as the following.
    public static int bits(int form) {
        return form % BYTE;
    }

    /// How many numbers have a scale.
    public static int group(int form) {
        return 32 >> form / HALVES % 2;
    }

    /// Scales and offsets of a group: 1 or 2.
    public static int pairs(int form) {
        return 1 + form / OFFSETS % 2;
    }

    /// 1 if scales are counted in units, else 0.
    public static int counted(int form) {
        return form / COUNTED % 2;
    }

    /// How many numbers have a unit.
    public static int unitOf(int form) {
        return 256 >> form / OF_32 % 2 * 3;
    }

    /// Integers of a row, or its floats.
    ///
    /// @param size numbers of the row
    public static int words(int form, int size) {
        int numbered = numbered(form, size);
        int units = Math.ceilDiv(numbered * 8, unitOf(form)) * pairs(form);
        return bits(form) < 16 ? units(form, size) + Math.ceilDiv(units, 2) : numbered;
    }

    /// Those of them that hold numbers, or their lower bits.
    public static int numbered(int form, int size) {
        int words = bits(form) == 32 ? 1 : bits(form) == 16 ? HalfMatrix.HALF_BLOCK : 8;
        return Math.ceilDiv(size, words * parts(form)) * words;
    }

    /// Numbers of one of them.
    public static int parts(int form) {
        return bits(form) == 32 ? 1 : bits(form) == 16 ? 2 : 8;
    }

    /// Where a row's counts begin.
    public static int counts(int form, int size) {
        int numbered = numbered(form, size);
        return numbered + Math.ceilDiv(numbered * (bits(form) - LOW), 32) * 8;
    }

    /// Where a row's units begin.
    public static int units(int form, int size) {
        int bytes = numbered(form, size) * 8 / group(form) * pairs(form);
        return counts(form, size) + counted(form) * Math.ceilDiv(bytes, 4);
    }

    /// The number whose lower bits are a part of an integer.
    public static int column(int word, int part) {
        int block = word / 8;
        return block * WIDTH + part / 4 * 32 + ((part ^ block) & 3) * 8 + word % 8;
    }

    /// Which integer of its row holds the lower bits of a number.
    public static int wordOf(int column) {
        return column / WIDTH * 8 + column % 8;
    }

    /// Which part of its integer they are.
    public static int partOf(int column) {
        return column % WIDTH / 32 * 4 + (column % 32 / 8 ^ column / WIDTH & 3);
    }

    /// Which integer holds the higher bits of the numbers of a word, counted from the first of these.
    public static int higher(int form, int word) {
        return word * (bits(form) - LOW) / 32 * 8 + word % 8;
    }

    /// The bit of this integer where a number's higher bits begin.
    private static int higherBit(int form, int word, int part) {
        int high = bits(form) - LOW;
        return (word / 8 * 8 * high + part * high) % 32;
    }

    /// A level, or a code where numbers have offsets.
    ///
    /// @param lower  the integer of a word
    /// @param higher that of its higher bits, if there are
    public static float level(int form, int lower, int higher, int word, int part) {
        int high = bits(form) - LOW;
        int code = (lower >> (LOW * part)) & 15;
        if (high > 0) {
            code += ((higher >> higherBit(form, word, part)) & ((1 << high) - 1)) << LOW;
        }
        return code - zero(form);
    }

    private static int zero(int form) {
        return (2 - pairs(form)) << (bits(form) - 1);
    }

    /// A count.
    ///
    /// @param word an integer of counts
    public static float count(int word, int place) {
        return ((word >> (place * 8)) & (BYTE - 1)) - MIDDLE;
    }

    /// Blocks of rounded numbers.
    ///
    /// @param floats `[rows, size]`
    public static Blocks rounded(Levels kept, MemorySegment floats, int size) {
        return (row, index, into) -> {
            int first = index * Levels.BLOCK;
            int count = Math.min(Levels.BLOCK, size - first);
            long at = ((long) row * size + first) * Float.BYTES;
            var numbers = new float[Levels.BLOCK];
            MemorySegment.copy(floats, ValueLayout.JAVA_FLOAT, at, numbers, 0, count);
            into.setScale16(kept.round(numbers, into.levels()), 0);
        };
    }

    /// Packs a matrix.
    ///
    /// @param what  what it holds, for errors
    /// @param form  one that holds the type's numbers
    /// @param type  of the blocks
    /// @param words where the integers go, `[rows, words(form, size)]`
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if a scale is 4 or more
    public static void pack(
            String what,
            int form,
            GgufType type,
            int rows,
            int size,
            Blocks blocks,
            MemorySegment words) {
        var block = new WeightBlock();
        var row = new RowOfLevels(what, form, type, size);
        for (int index = 0; index < rows; index++) {
            row.clear();
            for (int first = 0; first < size; first += type.block()) {
                blocks.read(index, first / type.block(), block);
                row.put(first, block);
            }
            MemorySegment.copy(
                    row.words,
                    0,
                    words,
                    ValueLayout.JAVA_INT,
                    (long) index * row.words.length * Integer.BYTES,
                    row.words.length);
        }
    }

    /// A row that is packed. Confined to one thread.
    private static final class RowOfLevels {
        private final String what;
        private final int form;
        private final GgufType type;
        private final int size;
        private final int[] words;

        RowOfLevels(String what, int form, GgufType type, int size) {
            this.what = what;
            this.form = form;
            this.type = type;
            this.size = size;
            words = new int[words(form, size)];
        }

        /// All codes and scales are zero.
        void clear() {
            Arrays.fill(words, 0);
            Arrays.fill(words, units(form, size), words.length, ZEROS);
            for (int column = size; column < numbered(form, size) * 8; column++) {
                code(column, 0);
            }
        }

        void put(int first, WeightBlock block) {
            for (int index = 0; index < Math.min(type.block(), size - first); index++) {
                code(first + index, block.levels()[index]);
                if (index % LEAST_GROUP == 0) {
                    scales(first + index, block, index / type.group());
                }
            }
        }

        private void code(int column, int level) {
            int code = level + (type.offsets() ? 0 : 1 << (bits(form) - 1));
            int word = wordOf(column);
            int part = partOf(column);
            words[word] |= (code & 15) << (LOW * part);
            if (bits(form) > LOW) {
                words[numbered(form, size) + higher(form, word)] |=
                        code >> LOW << higherBit(form, word, part);
            }
        }

        /// A block without offsets has them in a form with offsets: its codes are larger than its levels.
        private void scales(int column, WeightBlock block, int group) {
            boolean many = type.groups() > 1;
            float unit = Float.float16ToFloat(block.unit());
            float offset = unit * (1 << (bits(form) - 1));
            int scale = many ? block.scale(group) : 1;
            int offsets = scale;
            if (type.offsets()) {
                float stored = Float.float16ToFloat(block.offsetUnit());
                offset = many ? stored : -stored;
                offsets = many ? block.offset(group) : 1;
            }
            int at = column / unitOf(form) * pairs(form);
            int count = column / group(form) * pairs(form);
            unit(at, unit);
            count(count, scale);
            if (pairs(form) == 2) {
                unit(at + 1, offset);
                count(count + 1, offsets);
            }
        }

        private void count(int place, int count) {
            if (counted(form) == 1) {
                words[counts(form, size) + place / 4] |= count + MIDDLE << place % 4 * 8;
            }
        }

        private void unit(int place, float unit) {
            if (!(Math.abs(unit) < 4)) {
                throw new OutriderException(
                        ErrorCode.CHECKPOINT_UNSUPPORTED,
                        "%s has a block of the scale %s, but devices hold scales below 4"
                                .formatted(what, unit),
                        "Set target.precision to f32.");
            }
            int at = units(form, size) + place / 2;
            int shift = place % 2 * 16;
            words[at] =
                    words[at] & ~(0xffff << shift) | HalfMatrix.code(unit, UNIT) << shift;
        }
    }
}
