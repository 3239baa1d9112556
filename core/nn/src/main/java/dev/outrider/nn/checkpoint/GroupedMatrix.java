package dev.outrider.nn.checkpoint;

import static dev.outrider.nn.checkpoint.Quantisation.ALL;

import dev.outrider.nn.checkpoint.GroupTensorReader.GroupTensors;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.LongUnaryOperator;

/// A matrix in few bits as others publish it: groups of columns have a scale, and perhaps a level that stands for 0. A number is
/// `(code - zero) scale`, rounded once to 32 bits, which it fits wherever the scale has 16.
///
/// Thread-safe to read. Owner of the memory: the [CheckpointTensors] it was made of.
public final class GroupedMatrix implements FileMatrix {
    /// What a code is.
    public enum Kind {
        /// An integer of four bits.
        NIBBLE(15),
        /// An integer of eight bits.
        BYTE(255),
        /// A float of eight bits without infinities.
        E4M3(448),
        /// A float of four bits.
        E2M1(6);

        private final float most;

        Kind(float most) {
            this.most = most;
        }
    }

    /// What panels keep in one block, the best first.
    private static final int[] BLOCKS = {128, 64, 32};

    private static final float[] FLOATS_OF_FOUR_BITS = {
        0, 0.5f, 1, 1.5f, 2, 3, 4, 6, -0f, -0.5f, -1, -1.5f, -2, -3, -4, -6
    };

    private static final int FRACTION_BITS = 23;

    private static final int NOT_A_NUMBER = 0x7f;
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfShort HALF =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat F32 =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final String name;
    private final Quantisation form;
    private final int columns;
    private final GroupTensors tensors;
    private final long rows;
    private final LongUnaryOperator place;

    private GroupedMatrix(
            String name,
            Quantisation form,
            int columns,
            GroupTensors tensors,
            long rows,
            LongUnaryOperator place) {
        this.name = name;
        this.form = form;
        this.columns = columns;
        this.tensors = tensors;
        this.rows = rows;
        this.place = place;
    }

    /// Whether a checkpoint has a weight in few bits, and not as Outrider itself keeps it.
    ///
    /// @param name what the tensor is called that it stands for
    public static boolean isIn(CheckpointTensors tensors, String name, Quantisation form) {
        boolean own =
                form.levels().isPresent()
                        && tensors.find(name + "_scale")
                                .filter(scale -> scale.type() == TensorType.F16)
                                .isPresent();
        return !own && GroupTensorReader.finds(tensors, name, form);
    }

    /// A matrix of a checkpoint.
    ///
    /// @param name  what the tensor is called that it stands for
    /// @param shape that it must have; of more than two dimensions where it is several matrices, one behind the other
    /// @throws OutriderException `CHECKPOINT_INCOMPLETE`, `CHECKPOINT_SHAPE_MISMATCH` or `CHECKPOINT_UNSUPPORTED`
    public static GroupedMatrix of(
            CheckpointTensors tensors, String name, Quantisation form, long... shape) {
        var reader = new GroupTensorReader(tensors, name, form, shape);
        int columns = Math.toIntExact(shape[shape.length - 1]);
        return new GroupedMatrix(name, form, columns, reader.read(), reader.rows(), row -> row);
    }

    /// Some of its rows.
    ///
    /// @param count how many
    /// @param of    which row of this is a row of the result
    public GroupedMatrix rows(long count, LongUnaryOperator of) {
        return new GroupedMatrix(
                name, form, columns, tensors, count, row -> place.applyAsLong(of.applyAsLong(row)));
    }

    /// Names of the tensors that make it up.
    public List<String> names() {
        return tensors.names();
    }

    @Override
    public long rows() {
        return rows;
    }

    /// Numbers of a row.
    public int columns() {
        return columns;
    }

    /// What its codes are.
    public Kind kind() {
        return switch (form.layout()) {
            case FLOATS, FLOATS_INVERSE -> Kind.E4M3;
            case MXFP4 -> Kind.E2M1;
            default -> form.bits() == Byte.SIZE ? Kind.BYTE : Kind.NIBBLE;
        };
    }

    /// Columns that have the same scale: as many of them as can be kept together.
    public int block() {
        for (int block : BLOCKS) {
            if (form.group() == ALL || form.group() % block == 0) {
                return block;
            }
        }
        throw new IllegalStateException("groups of %d columns".formatted(form.group()));
    }

    /// The scale of some columns of a row.
    ///
    /// @param block counts by [#block]
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if its numbers would be none
    public float scale(long row, int block) {
        long index = tensors.place().at(place.applyAsLong(row), group(block * block()));
        var stored = tensors.scale();
        float scale =
                switch (stored.type()) {
                    case F16 -> Float.float16ToFloat(stored.data().getAtIndex(HALF, index));
                    case BF16 -> HalfFloats.fromBfloat16(stored.data().getAtIndex(HALF, index));
                    case U8 ->
                            power(
                                    Byte.toUnsignedInt(
                                            stored.data().get(ValueLayout.JAVA_BYTE, index)));
                    default -> stored.data().getAtIndex(F32, index);
                };
        if (!Float.isFinite(scale * kind().most)) {
            throw unsupported(
                    "number %d of tensor '%s' is %s; expected one that %s times it is finite"
                            .formatted(index, stored.name(), scale, kind().most));
        }
        return scale;
    }

    /// The code that stands for 0 in some columns of a row.
    ///
    /// @param block counts by [#block]
    public int zero(long row, int block) {
        return (int) tensors.zeros().at(place.applyAsLong(row), group(block * block()));
    }

    private int group(int column) {
        return column / form.group();
    }

    /// Reads a row's codes.
    ///
    /// @param into gets [#columns] of them, unsigned
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if one is no number
    public void codes(long row, byte[] into) {
        long stored = place.applyAsLong(row);
        for (int column = 0; column < columns; column++) {
            into[column] = (byte) tensors.codes().at(stored, column);
            if (kind() == Kind.E4M3 && (into[column] & NOT_A_NUMBER) == NOT_A_NUMBER) {
                throw unsupported(
                        "number %d of row %d of tensor '%s' is no number"
                                .formatted(column, stored, name));
            }
        }
    }

    /// Makes a row's numbers.
    ///
    /// @param into gets [#columns] of them
    public void numbers(long row, float[] into) {
        var codes = new byte[columns];
        codes(row, codes);
        for (int start = 0; start < columns; start += block()) {
            int zero = zero(row, start / block());
            float scale = scale(row, start / block());
            for (int column = start; column < Math.min(columns, start + block()); column++) {
                into[column] = level(kind(), codes[column], zero) * scale;
            }
        }
    }

    /// What times a scale is a number.
    public static float level(Kind kind, byte code, int zero) {
        return switch (kind) {
            case NIBBLE, BYTE -> Byte.toUnsignedInt(code) - zero;
            case E4M3 -> fromE4m3(code);
            case E2M1 -> FLOATS_OF_FOUR_BITS[code];
        };
    }

    /// Two to the power of an exponent that is moved up by 127; none of 255.
    public static float power(int exponent) {
        return Float.intBitsToFloat(exponent == 0 ? 0x00400000 : exponent << FRACTION_BITS);
    }

    /// The exponent of a [#power].
    public static int exponent(float power) {
        return Float.floatToRawIntBits(power) >>> FRACTION_BITS;
    }

    /// Its bits in a 32-bit float whose exponent then lacks 120; works for subnormal numbers too.
    private static float fromE4m3(byte code) {
        return Float.intBitsToFloat(code & 0x80000000 | (code & 0x7f) << 20) * 0x1p120f;
    }

    /// Writes its numbers as 32-bit floats in native byte order.
    ///
    /// @param floats room for all of them
    public void toFloats(MemorySegment floats) {
        var numbers = new float[columns];
        for (long row = 0; row < rows; row++) {
            numbers(row, numbers);
            MemorySegment.copy(numbers, 0, floats, FLOAT, row * columns * Float.BYTES, columns);
        }
    }

    private static OutriderException unsupported(String problem) {
        return new OutriderException(
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                problem,
                "Use a checkpoint whose weights are numbers.");
    }
}
