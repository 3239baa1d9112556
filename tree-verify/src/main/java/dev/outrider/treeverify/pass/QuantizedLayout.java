package dev.outrider.treeverify.pass;

import dev.outrider.nn.checkpoint.GroupedMatrix;
import dev.outrider.nn.checkpoint.GroupedMatrix.Kind;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.gguf.WeightBlock;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.OptionalInt;

/// A matrix of levels in 4, 5, 6 or 8 bits, with scales and optional offsets for groups of 16 or 32 numbers, as in GGUF's blocks.
/// It is packed into 32-bit integers that kernels on every device can read. A number is `scale code - offset`, or, without
/// offsets, `scale (code - zero)`, where zero is the middle of the codes. Codes may also be eight-bit floats. The four-bit floats of
/// MXFP4 are levels: twice the float, with half of the scale.
///
/// The *form* of a matrix is the bits of a number, and flags. A matrix whose rows come from matrices of several forms has a form
/// that can hold all of them ([#join]).
///
/// A row is padded with zeros to a multiple of 64 numbers. It has four parts:
///
/// - the lower four bits of codes, in blocks of eight integers and 64 numbers. An integer has eight parts, one for each run of
///   eight consecutive numbers of the block; integer i has number i of each run, so that adjacent lanes read adjacent integers
///   and multiply adjacent numbers. Four consecutive parts belong to the same 32 numbers, two to the same 16. The order of the
///   runs differs from block to block, because in a fixed order 32 lanes would multiply numbers in the same quarter of a device's
///   memory banks;
/// - the higher bits, in the same order: one integer has the higher bits of one, two or four integers of the first part;
/// - if scales are counted in units, the counts: a byte with 128 added for each group's scale, and for its offset if it has one;
/// - the units of 256 numbers, or the scales of 32 numbers: 16 bits each, codes of [HalfMatrix] with the scale `2^-24`, which are
///   binary16's numbers below 4. Each offset follows its scale. The scales of eight-bit floats are integers of their own, one for
///   128 numbers: 24 bits of a 32-bit float, and a shift. They are exact from `2^-29` to 4; smaller ones lose less than `2^-52`.
public final class QuantizedLayout {
    /// The factor of levels times decoded scales, unless levels are eight-bit floats.
    public static final float UNIT = 0x1p-24f;

    /// The factor of eight-bit floats times decoded scales.
    public static final float UNIT_OF_FLOATS = 0x1p-61f;

    /// Flag of a form: groups have 16 numbers, not 32.
    private static final int HALVES = 1 << 8;

    /// Flag of a form: groups have offsets.
    private static final int OFFSETS = 1 << 9;

    /// Flag of a form: scales are counted in units, that is, a scale is a count times a unit.
    private static final int COUNTED = 1 << 10;

    /// Flag of a form: a unit belongs to 32 numbers, not 256.
    private static final int OF_32 = 3 << 11;

    /// Flag of a form: a unit belongs to 128 numbers.
    private static final int OF_128 = 1 << 11;

    /// Flag of a form: codes are eight-bit floats. A unit has 32 bits.
    private static final int FLOATS = 1 << 13;

    /// The form of eight-bit floats, four bits of exponent and three of fraction, with a scale for 128 numbers.
    public static final int E4M3 = Byte.SIZE + FLOATS + OF_128;

    /// The same form with a scale for 32 numbers. It holds numbers that are rounded to four bits, for tests of kernels.
    public static final int E4M3_OF_32 = Byte.SIZE + FLOATS + OF_32;

    private static final int SCALE_SHIFT_BITS = 5;

    private static final int LOW = 4;
    private static final int BYTE = 256;
    private static final int MIDDLE = 128;
    private static final int MIN_GROUP = 16;

    /// Two zeros in 16 bits.
    private static final int ZEROS = 0x80008000;

    private QuantizedLayout() {}

    /// Reads a block of a row. Numbers after the row's last one are undefined.
    @FunctionalInterface
    public interface Blocks {
        void read(int row, int index, WeightBlock into);
    }

    /// Returns the form that holds a GGUF format's numbers exactly, if they are levels with scales.
    public static OptionalInt form(GgufType type) {
        int bits =
                switch (type) {
                    case Q2_K, Q3_K, Q4_0, Q4_1, Q4_K -> 4;
                    case Q5_0, Q5_1, Q5_K, MXFP4 -> 5;
                    case Q6_K -> 6;
                    case Q8_0 -> 8;
                    case F32, F16, BF16 -> 0;
                };
        return bits == 0
                ? OptionalInt.empty()
                : OptionalInt.of(
                        bits
                                + (type.group() == MIN_GROUP ? HALVES : 0)
                                + (type.offsets() ? OFFSETS : 0)
                                + (type.groups() > 1 ? COUNTED : OF_32));
    }

    /// Returns the form that can hold the numbers of two forms: 32-bit floats if they differ and one is not a form of integer
    /// levels.
    public static int join(int one, int other) {
        if (one == other) {
            return one;
        }
        int bits = Math.max(bits(one), bits(other));
        int flags = (one | other) / BYTE * BYTE;
        return bits < Short.SIZE && !floats(flags) ? bits + flags : Float.SIZE;
    }

    /// Returns the bits of a number: 4, 5, 6 or 8; for other matrices 32 or 16. Kernels call this method and the following ones.
    /// They use shifts and masks, because TornadoVM limits the number of operations in a kernel.
    public static int bits(int form) {
        return form & (BYTE - 1);
    }

    /// Returns the number of scales and offsets of a group: 1 or 2.
    public static int pairs(int form) {
        return 1 + ((form >> 9) & 1);
    }

    /// Returns whether scales are counted in units.
    public static boolean counted(int form) {
        return (form & COUNTED) > 0;
    }

    /// Returns whether codes are eight-bit floats.
    public static boolean floats(int form) {
        return (form & FLOATS) > 0;
    }

    /// Returns the number of columns of a group.
    public static int group(int form) {
        return 32 >> ((form >> 8) & 1);
    }

    /// Returns the number of integers of a row, or of its floats.
    ///
    /// @param size numbers of the row
    public static int words(int form, int size) {
        int numbered = numbered(form, size);
        int counts = ((form >> 10) & 1) * (((form >> 8) & 1) + ((form >> 9) & 1));
        int others = ((size + 63) >> 6) * counts + units(form, size);
        return bits(form) < 16 ? counts(form, size) + others : numbered;
    }

    /// Returns the number of integers that hold units, which are the last ones of a row.
    private static int units(int form, int size) {
        int units = unit(form, numbered(form, size) * 8 + (1 << unitBits(form)) - 1, 0);
        return (units + 1) >> 1;
    }

    /// Returns the number of integers that hold numbers, or their lower bits.
    public static int numbered(int form, int size) {
        int packed = bits(form) == 16 ? ((size + 127) >> 7) << 6 : ((size + 63) >> 6) << 3;
        return bits(form) == 32 ? size : packed;
    }

    /// Returns how many numbers one of these integers holds.
    public static int parts(int form) {
        return bits(form) == 32 ? 1 : bits(form) == 16 ? 2 : 8;
    }

    /// Returns whether numbers have higher bits.
    public static boolean split(int form) {
        return ((bits(form) - 5) & -8) == 0;
    }

    /// Returns the index in a row of the first integer with counts.
    public static int counts(int form, int size) {
        return ((size + 63) >> 6) * 2 * bits(form);
    }

    /// Returns the index of a column's unit. An integer holds two units; the first ones are in the row's last integer.
    ///
    /// @param which 0 for that of a scale, 1 for that of an offset
    public static int unit(int form, int column, int which) {
        return (column >> unitBits(form) << (((form >> 9) | (form >> 13)) & 1)) + which;
    }

    /// Returns the binary logarithm of the columns of a unit.
    private static int unitBits(int form) {
        return 8 - ((form >> 11) & 3);
    }

    /// Returns the index of a column's count. An integer holds four counts.
    ///
    /// @param which 0 for that of a scale, 1 for that of an offset
    public static int count(int form, int column, int which) {
        return (column >> (5 - ((form >> 8) & 1)) << ((form >> 9) & 1)) + which;
    }

    /// Returns the column of the number whose lower bits are in a part of an integer.
    public static int column(int word, int part) {
        int block = word >> 3;
        return (block << 6) + (part >> 2 << 5) + (((part ^ block) & 3) << 3) + (word & 7);
    }

    /// Returns the index in the row of the integer with a number's lower bits.
    public static int wordOf(int column) {
        return (column >> 6 << 3) + (column & 7);
    }

    /// Returns the part of this integer that holds the number's lower bits.
    public static int partOf(int column) {
        return ((column >> 5 & 1) << 2) + (((column >> 3) ^ (column >> 6)) & 3);
    }

    /// Returns the integer with the higher bits of the numbers of a word, counted from the first integer with higher bits.
    public static int higher(int form, int word) {
        return word * (bits(form) - LOW) >> 2;
    }

    /// Returns the lowest bit of a number's higher bits in this integer.
    private static int higherBit(int form, int word, int part) {
        return ((word << 3) + part) * (bits(form) - LOW) & 31;
    }

    /// Returns the level of a number, or its code if numbers have offsets.
    ///
    /// @param lower  the integer with the lower bits
    /// @param higher the integer with the higher bits, if there are any
    public static float level(int form, int lower, int higher, int word, int part) {
        int mask = (1 << (bits(form) - LOW)) - 1;
        int high = (higher >> higherBit(form, word, part)) & mask;
        int code = ((lower >> (LOW * part)) & 15) + (high << LOW);
        int level = code - zero(form);
        if (floats(form)) {
            level = ofFloat(code);
        }
        return level;
    }

    /// Returns an eight-bit float, times `2^9`.
    private static int ofFloat(int code) {
        int exponent = (code >> 3) & 15;
        int normal = (exponent + 15) >> 4;
        int significand = (code & 7) + (normal << 3);
        return (1 - ((code >> 6) & 2)) * (significand << (exponent - normal));
    }

    /// Returns the code of an integer from -16 to 16 as an eight-bit float.
    private static byte toFloat(int level) {
        int size = Math.abs(level);
        int exponent = size == 0 ? -7 : Integer.SIZE - 1 - Integer.numberOfLeadingZeros(size);
        int fraction = size == 0 ? 0 : (size << 3 >> exponent) & 7;
        return (byte) ((level < 0 ? MIDDLE : 0) | (exponent + 7) << 3 | fraction);
    }

    /// Returns the scale of eight-bit floats, times `2^52`.
    ///
    /// @param word its integer
    public static float scale(int word) {
        float significand = word >> SCALE_SHIFT_BITS;
        return significand * (1 << (word & 31));
    }

    private static int ofScale(float scale) {
        int shift = Math.clamp(Math.getExponent(scale) + 29, 0, 30);
        return Math.round(Math.scalb(scale, 52 - shift)) << SCALE_SHIFT_BITS | shift;
    }

    private static int zero(int form) {
        return (1 - ((form >> 9) & 1)) << (bits(form) - 1);
    }

    /// Returns the factor of a unit: the count, without the added 128.
    ///
    /// @param word an integer of counts
    public static float times(int word, int place) {
        return ((word >> (place << 3)) & (BYTE - 1)) - MIDDLE;
    }

    /// Returns blocks of numbers that are rounded when they are read.
    ///
    /// @param form   form that holds them
    /// @param floats `[rows, size]`
    public static Blocks rounded(Levels kept, int form, MemorySegment floats, int size) {
        return (row, index, into) -> {
            int first = index * Levels.BLOCK;
            int count = Math.min(Levels.BLOCK, size - first);
            long at = ((long) row * size + first) * Float.BYTES;
            var numbers = new float[Levels.BLOCK];
            MemorySegment.copy(floats, ValueLayout.JAVA_FLOAT, at, numbers, 0, count);
            into.setScale16(kept.round(numbers, into.levels()), 0);
            if (floats(form)) {
                into.setScale32(Float.float16ToFloat(into.unit()), 0);
                for (int each = 0; each < count; each++) {
                    into.levels()[each] = toFloat(into.levels()[each]);
                }
            }
        };
    }

    /// Packs a matrix.
    ///
    /// @param what  the matrix's name in errors
    /// @param form  a form that can hold the type's numbers
    /// @param type  the format of the blocks; ignored if the form has eight-bit floats, whose blocks have a 32-bit scale
    /// @param words receives the integers, `[rows, words(form, size)]`
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if a scale is 4 or more, or a power of two below `2^-24`
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
        int columns = floats(form) ? 1 << unitBits(form) : type.block();
        for (int index = 0; index < rows; index++) {
            row.clear();
            for (int first = 0; first < size; first += columns) {
                blocks.read(index, first / columns, block);
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

    /// The row that is being packed. Confined to one thread.
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

        /// Sets all numbers and scales to zero.
        void clear() {
            Arrays.fill(words, 0);
            Arrays.fill(words, words.length - units(form, size), words.length, ZEROS);
            for (int column = size; column < numbered(form, size) * 8; column++) {
                code(column, 0);
            }
        }

        void put(int first, WeightBlock block) {
            if (floats(form)) {
                // Scales have no sign; codes have one.
                int sign = block.scale() < 0 ? MIDDLE : 0;
                for (int index = 0; index < Math.min(1 << unitBits(form), size - first); index++) {
                    code(first + index, block.levels()[index] ^ sign);
                }
                require(block.scale(), true);
                words[words.length - 1 - unit(form, first, 0) / 2] =
                        ofScale(Math.abs(block.scale()));
                return;
            }
            for (int index = 0; index < Math.min(type.block(), size - first); index++) {
                code(first + index, level(block.levels()[index]));
                if (index % MIN_GROUP == 0) {
                    scales(first + index, block, index / type.group());
                }
            }
        }

        private int level(byte stored) {
            return type == GgufType.MXFP4
                    ? Math.round(2 * GroupedMatrix.level(Kind.E2M1, stored, 0))
                    : stored;
        }

        /// Returns a block's 16-bit scale, or half of its power of two; 0 if all its floats are zeros.
        private float unitOf(WeightBlock block) {
            if (type != GgufType.MXFP4) {
                return Float.float16ToFloat(block.unit());
            }
            float unit = GroupedMatrix.power(block.exponent()) / 2;
            boolean zeros = true;
            for (int index = 0; index < type.block(); index++) {
                zeros &= level(block.levels()[index]) == 0;
            }
            require(unit, zeros || unit >= UNIT);
            return zeros ? 0 : unit;
        }

        private void code(int column, int level) {
            int code =
                    floats(form)
                            ? Byte.toUnsignedInt((byte) level)
                            : level + (type.offsets() ? 0 : 1 << (bits(form) - 1));
            int word = wordOf(column);
            int part = partOf(column);
            words[word] |= (code & 15) << (LOW * part);
            if (bits(form) > LOW) {
                words[numbered(form, size) + higher(form, word)] |=
                        code >> LOW << higherBit(form, word, part);
            }
        }

        /// Stores a group's scale and offset. A block without offsets gets an offset in a form with offsets, because its codes
        /// are its levels plus a constant.
        private void scales(int column, WeightBlock block, int group) {
            boolean many = type.groups() > 1;
            float unit = unitOf(block);
            float offset = unit * (1 << (bits(form) - 1));
            int scale = many ? block.scale(group) : 1;
            int offsets = scale;
            if (type.offsets()) {
                float stored = Float.float16ToFloat(block.offsetUnit());
                offset = many ? stored : -stored;
                offsets = many ? block.offset(group) : 1;
            }
            put(column, 0, unit, scale);
            if (pairs(form) == 2) {
                put(column, 1, offset, offsets);
            }
        }

        private void require(float unit, boolean held) {
            if (!held || !(Math.abs(unit) < 4)) {
                throw new OutriderException(
                        ErrorCode.CHECKPOINT_UNSUPPORTED,
                        "%s has a block of the scale %s, but devices hold scales below 4, and powers of two from 2^-24"
                                .formatted(what, unit),
                        "Set 'precision' to f32.");
            }
        }

        private void put(int column, int which, float unit, int times) {
            require(unit, true);
            int place = unit(form, column, which);
            int shift = place % 2 * 16;
            int at = words.length - 1 - place / 2;
            words[at] = words[at] & ~(0xffff << shift) | HalfMatrix.code(unit, UNIT) << shift;
            if (counted(form)) {
                int byteOf = count(form, column, which);
                words[counts(form, size) + byteOf / 4] |= times + MIDDLE << byteOf % 4 * 8;
            }
        }
    }
}
