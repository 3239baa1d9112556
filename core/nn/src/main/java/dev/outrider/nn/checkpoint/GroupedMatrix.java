package dev.outrider.nn.checkpoint;

import static dev.outrider.nn.checkpoint.Quantisation.ALL;

import dev.outrider.nn.checkpoint.GroupTensorReader.GroupTensors;
import dev.outrider.nn.gguf.WeightBlock;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.LongUnaryOperator;

/// A quantised matrix in the form of other programs: groups of columns have a scale, and optionally a
/// zero point. A number is `(code - zero) scale`, rounded once to 32 bits, which is exact if the
/// scale has 16 bits.
///
/// Thread-safe to read. Owner of the memory: the [CheckpointTensors] it was made from.
public record GroupedMatrix(
        String name,
        Quantisation form,
        int columns,
        GroupTensors tensors,
        long rows,
        LongUnaryOperator place)
        implements FileMatrix {
    /// Types of codes.
    public enum Kind {
        /// A four-bit integer.
        NIBBLE(15),
        /// An eight-bit integer.
        BYTE(255),
        /// An eight-bit float without infinities.
        E4M3(448),
        /// A four-bit float.
        E2M1(6);

        private final float most;

        Kind(float most) {
            this.most = most;
        }
    }

    /// Block sizes that panels support, the best first.
    private static final int[] BLOCKS = {128, 64, 32};

    private static final float[] FLOATS_OF_FOUR_BITS = {
        0, 0.5f, 1, 1.5f, 2, 3, 4, 6, -0f, -0.5f, -1, -1.5f, -2, -3, -4, -6
    };

    private static final int FRACTION_BITS = 23;

    private static final int NOT_A_NUMBER = 0x7f;
    private static final ValueLayout.OfShort HALF =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat F32 =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Returns whether a checkpoint has a weight in quantised form, other than Outrider's own.
    ///
    /// @param name name of the tensor that it replaces
    public static boolean isIn(CheckpointTensors tensors, String name, Quantisation form) {
        boolean own =
                form.levels().isPresent()
                        && tensors.find(name + "_scale")
                                .filter(scale -> scale.type() == TensorType.F16)
                                .isPresent();
        return !own && GroupTensorReader.finds(tensors, name, form);
    }

    /// Returns a matrix of a checkpoint.
    ///
    /// @param name  name of the tensor that it replaces
    /// @param shape the required shape; more than two dimensions for several matrices one after
    ///     another
    /// @throws OutriderException `CHECKPOINT_INCOMPLETE`, `CHECKPOINT_SHAPE_MISMATCH` or
    ///     `CHECKPOINT_UNSUPPORTED`
    public static GroupedMatrix of(
            CheckpointTensors tensors, String name, Quantisation form, long... shape) {
        var reader = new GroupTensorReader(tensors, name, form, shape);
        int columns = Math.toIntExact(shape[shape.length - 1]);
        return new GroupedMatrix(name, form, columns, reader.read(), reader.rows(), row -> row);
    }

    /// Returns some of its rows.
    ///
    /// @param count number of rows
    /// @param of    row of this matrix by row of the result
    public GroupedMatrix rows(long count, LongUnaryOperator of) {
        return new GroupedMatrix(
                name, form, columns, tensors, count, row -> place.applyAsLong(of.applyAsLong(row)));
    }

    /// Returns the names of its tensors.
    public List<String> names() {
        return tensors.names();
    }

    /// Returns the type of its codes.
    public Kind kind() {
        return switch (form.layout()) {
            case FLOATS, FLOATS_INVERSE -> Kind.E4M3;
            case MXFP4 -> Kind.E2M1;
            default -> form.bits() == Byte.SIZE ? Kind.BYTE : Kind.NIBBLE;
        };
    }

    /// Returns how many columns share a scale: the largest supported block that divides a group.
    public int block() {
        for (int block : BLOCKS) {
            if (form.group() == ALL || form.group() % block == 0) {
                return block;
            }
        }
        throw new IllegalStateException("groups of %d columns".formatted(form.group()));
    }

    /// Returns the scale of some columns of a row.
    ///
    /// @param block counts by [#block]
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if products with it would not be finite
    private float scale(long row, int block) {
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

    /// Returns the zero point of some columns of a row.
    ///
    /// @param block counts by [#block]
    private int zero(long row, int block) {
        return (int) tensors.zeros().at(place.applyAsLong(row), group(block * block()));
    }

    private int group(int column) {
        return column / form.group();
    }

    @Override
    public void read(long row, int index, WeightBlock into) {
        float scale = scale(row, index);
        codes(row, index * block(), into.levels());
        if (kind() == Kind.E2M1) {
            into.setScale16((short) 0, Float.floatToRawIntBits(scale) >>> FRACTION_BITS);
        } else {
            into.setScale32(scale, zero(row, index));
        }
    }

    /// Reads a block's unsigned codes.
    private void codes(long row, int start, byte[] into) {
        long stored = place.applyAsLong(row);
        for (int column = start; column < Math.min(columns, start + block()); column++) {
            byte code = (byte) tensors.codes().at(stored, column);
            if (kind() == Kind.E4M3 && (code & NOT_A_NUMBER) == NOT_A_NUMBER) {
                throw unsupported(
                        "number %d of row %d of tensor '%s' is no number"
                                .formatted(column, stored, name));
            }
            into[column - start] = code;
        }
    }

    @Override
    public void numbers(long row, float[] into) {
        var codes = new byte[block()];
        for (int start = 0; start < columns; start += codes.length) {
            codes(row, start, codes);
            int zero = zero(row, start / codes.length);
            float scale = scale(row, start / codes.length);
            for (int index = 0; index < Math.min(codes.length, columns - start); index++) {
                into[start + index] = level(kind(), codes[index], zero) * scale;
            }
        }
    }

    /// Returns the factor that a scale is multiplied by.
    public static float level(Kind kind, byte code, int zero) {
        return switch (kind) {
            case NIBBLE, BYTE -> Byte.toUnsignedInt(code) - zero;
            case E4M3 -> fromE4m3(code);
            case E2M1 -> FLOATS_OF_FOUR_BITS[code];
        };
    }

    /// Returns two to the power of an exponent minus 127; NaN for 255.
    public static float power(int exponent) {
        return Float.intBitsToFloat(exponent == 0 ? 0x00400000 : exponent << FRACTION_BITS);
    }

    /// Moves its bits into a 32-bit float whose exponent is 120 too small; works for subnormal
    /// numbers too.
    private static float fromE4m3(byte code) {
        return Float.intBitsToFloat(code & 0x80000000 | (code & 0x7f) << 20) * 0x1p120f;
    }

    private static OutriderException unsupported(String problem) {
        return ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                problem, "Use a checkpoint whose weights are numbers.");
    }
}
