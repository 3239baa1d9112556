package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.WeightFormat;
import dev.outrider.treeverify.pass.HalfMatrix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/// A matrix in one of the two forms that kernels read. They take it by three arguments: [#floats], [#packed] and
/// [#scale].
///
/// @param array the matrix, a [FloatArray], or an [IntArray] as [HalfMatrix] packs it
/// @param scale of a packed matrix; 0 if it is not packed
/// @param rows  its rows
/// @param size  numbers of a row
public record StoredMatrix(TornadoNativeArray array, float scale, int rows, int size) {
    /// Stores a matrix.
    ///
    /// @param what   what it holds, for errors
    /// @param filler writes its floats, `[rows, size]`
    /// @throws dev.outrider.spi.error.OutriderException `CHECKPOINT_UNSUPPORTED` if the format does not hold a number
    public static StoredMatrix of(
            WeightFormat format, String what, int rows, int size, Consumer<MemorySegment> filler) {
        return switch (format) {
            case F32 -> {
                var floats = new FloatArray(Math.multiplyExact(rows, size));
                filler.accept(floats.getSegment());
                yield new StoredMatrix(floats, 0, rows, size);
            }
            case F16 -> {
                var packed = new IntArray(Math.multiplyExact(rows, HalfMatrix.words(size)));
                try (var arena = Arena.ofConfined()) {
                    var floats = arena.allocate(ValueLayout.JAVA_FLOAT, (long) rows * size);
                    filler.accept(floats);
                    float scale = HalfMatrix.pack(what, floats, rows, size, packed.getSegment());
                    yield new StoredMatrix(packed, scale, rows, size);
                }
            }
        };
    }

    /// The floats.
    ///
    /// @param other what a kernel gets in their place if they are packed, and does not read
    public FloatArray floats(FloatArray other) {
        return array instanceof FloatArray floats ? floats : other;
    }

    /// The packed numbers.
    ///
    /// @param other what a kernel gets in their place if they are not packed, and does not read
    public IntArray packed(IntArray other) {
        return array instanceof IntArray packed ? packed : other;
    }

    /// Its numbers, `[rows, size]`, in the host's memory. Owner: this object if it is not packed, else the garbage
    /// collector.
    public MemorySegment numbers() {
        if (array instanceof FloatArray floats) {
            return floats.getSegment();
        }
        var numbers = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, (long) rows * size);
        HalfMatrix.unpack(array.getSegment(), scale, rows, size, numbers);
        return numbers;
    }
}
