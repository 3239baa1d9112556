package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.HalfMatrix;
import dev.outrider.treeverify.pass.ProgramShape.DeviceMatrix;
import dev.outrider.treeverify.pass.QuantizedLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/// A matrix in one of the forms that kernels read. A kernel has three arguments for it: [#floats], [#packed] and [#form].
///
/// @param array the matrix: a [FloatArray], or an [IntArray] packed by [HalfMatrix] or [QuantizedLayout]
/// @param form  a form of [QuantizedLayout]; or 32; or 16 plus 65536 p, if the scale is `2^(p - 24)`
/// @param rows  number of its rows
/// @param size  numbers of a row
public record StoredMatrix(TornadoNativeArray array, int form, int rows, int size) {
    private static final int POWER = 16;

    /// Returns the factor of the numbers of a packed matrix. Kernels call it.
    static float unit(int form) {
        float unit = QuantizedLayout.UNIT * (1 << (form >> POWER));
        if (QuantizedLayout.floats(form)) {
            unit = QuantizedLayout.UNIT_OF_FLOATS;
        }
        return unit;
    }

    /// Returns the column of the number in a part of a word. Kernels call it.
    static int column(int form, int word, int part) {
        int column = word;
        if (QuantizedLayout.bits(form) == 16) {
            int half = HalfMatrix.HALF_BLOCK;
            column = 2 * word - (word & (half - 1)) + part * half;
        }
        if (QuantizedLayout.bits(form) < 16) {
            column = QuantizedLayout.column(word, part);
        }
        return column;
    }

    /// Returns the number in a part of a word of a packed matrix. Kernels call it.
    ///
    /// @param higher the word of higher bits, if there are any
    static float weight(
            int form, int bits, int higher, int word, int part, float scale, float offset) {
        float weight = HalfMatrix.significand(bits, part);
        if (QuantizedLayout.bits(form) < 16) {
            weight = QuantizedLayout.level(form, bits, higher, word, part) * scale - offset;
        }
        return weight;
    }

    /// Returns the scale of a number of a matrix of levels, or its offset. Kernels call it.
    ///
    /// @param first start of its row
    /// @param width elements of its row
    /// @param which 0 for the scale, 1 for the offset
    static float scale(
            IntArray packed,
            int form,
            int first,
            int width,
            int column,
            int size,
            int which) {
        int unit = QuantizedLayout.unit(form, column, which);
        int units = packed.get(first + width - 1 - (unit >> 1));
        float scale = HalfMatrix.significand(units, unit & 1);
        if (QuantizedLayout.floats(form)) {
            scale = QuantizedLayout.scale(units);
        }
        if (QuantizedLayout.counted(form)) {
            int count = QuantizedLayout.count(form, column, which);
            int counts = packed.get(first + QuantizedLayout.counts(form, size) + (count >> 2));
            scale = scale * QuantizedLayout.times(counts, count & 3);
        }
        return scale;
    }

    /// Returns a number of a packed matrix. Kernels call it.
    static float number(IntArray packed, int form, int row, int column, int size) {
        int bits = QuantizedLayout.bits(form);
        int width = QuantizedLayout.words(form, size);
        int first = row * width;
        float number = 0f;
        if (bits == 16) {
            int word = packed.get(first + HalfMatrix.wordOf(column));
            number = HalfMatrix.significand(word, HalfMatrix.partOf(column));
        }
        if (bits < 16) {
            int word = QuantizedLayout.wordOf(column);
            int lower = packed.get(first + word);
            int higher = 0;
            if (QuantizedLayout.split(form)) {
                int place = QuantizedLayout.numbered(form, size) + QuantizedLayout.higher(form, word);
                higher = packed.get(first + place);
            }
            float factor =
                    QuantizedLayout.level(form, lower, higher, word, QuantizedLayout.partOf(column));
            for (int which = 0; which < QuantizedLayout.pairs(form); which++) {
                number += factor * scale(packed, form, first, width, column, size, which);
                factor = -1f;
            }
        }
        return number * unit(form);
    }

    /// Stores a matrix.
    ///
    /// @param filler writes its floats, `[rows, size]`, or packed levels
    /// @throws dev.outrider.spi.error.OutriderException `CHECKPOINT_UNSUPPORTED` if the format does not hold a number
    public static StoredMatrix of(DeviceMatrix matrix, Consumer<MemorySegment> filler) {
        int form = matrix.form();
        int rows = matrix.rows();
        int size = matrix.size();
        int words = Math.toIntExact(matrix.words());
        if (form == Float.SIZE) {
            var floats = new FloatArray(words);
            filler.accept(floats.getSegment());
            return new StoredMatrix(floats, form, rows, size);
        }
        var packed = new IntArray(words);
        if (form != Short.SIZE) {
            filler.accept(packed.getSegment());
            return new StoredMatrix(packed, form, rows, size);
        }
        try (var arena = Arena.ofConfined()) {
            var floats = arena.allocate(ValueLayout.JAVA_FLOAT, (long) rows * size);
            filler.accept(floats);
            float scale =
                    HalfMatrix.pack(matrix.name(), floats, rows, size, packed.getSegment());
            int power = Math.getExponent(scale / QuantizedLayout.UNIT);
            return new StoredMatrix(packed, form + (power << POWER), rows, size);
        }
    }

    /// Returns the floats.
    ///
    /// @param other an array to return if the numbers are packed; the kernel does not read it
    public FloatArray floats(FloatArray other) {
        return array instanceof FloatArray floats ? floats : other;
    }

    /// Returns the packed numbers.
    ///
    /// @param other an array to return if the numbers are not packed; the kernel does not read it
    public IntArray packed(IntArray other) {
        return array instanceof IntArray packed ? packed : other;
    }

    /// Returns its numbers, `[rows, size]`, in the host's memory. This object owns them if it is not packed; otherwise they
    /// are a copy that the garbage collector frees.
    public MemorySegment numbers() {
        if (array instanceof FloatArray floats) {
            return floats.getSegment();
        }
        var numbers = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, (long) rows * size);
        for (long index = 0; index < (long) rows * size; index++) {
            int row = (int) (index / size);
            float number = number((IntArray) array, form, row, (int) (index % size), size);
            numbers.setAtIndex(ValueLayout.JAVA_FLOAT, index, number);
        }
        return numbers;
    }
}
