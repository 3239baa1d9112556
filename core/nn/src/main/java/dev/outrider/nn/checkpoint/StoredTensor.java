package dev.outrider.nn.checkpoint;

import dev.outrider.common.Require;
import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.gguf.WeightBlock;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/// A tensor in its file format: raw little-endian elements or blocks, row-major.
///
/// Thread-safe to read. Owner of the memory: for a tensor read from a file, the [CheckpointTensors]
/// or [SafetensorsFile] it came from; after that is closed, access throws [IllegalStateException].
///
/// @param name  as in the file
/// @param type  element type
/// @param shape sizes of the dimensions; empty for a single element
/// @param data  as many bytes as type and shape need, not necessarily aligned
public record StoredTensor(String name, TensorType type, List<Long> shape, MemorySegment data) {
    private static final int BLOCK = 8192;
    private static final ValueLayout.OfFloat F32 =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat NATIVE = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfDouble F64 =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort I16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt I32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong I64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    public StoredTensor {
        shape = List.copyOf(shape);
        long bytes = type.bytes(TensorEntry.elements(shape));
        Require.that(
                data.byteSize() == bytes,
                "tensor '%s' has %d bytes, but shape %s of %s takes %d",
                name,
                data.byteSize(),
                shape,
                type,
                bytes);
    }

    /// Returns a tensor of 32-bit floats with a copy of `values`.
    public static StoredTensor ofFloats(String name, float[] values, long... shape) {
        var data = allocate(values.length, Float.BYTES);
        MemorySegment.copy(values, 0, data, F32, 0, values.length);
        return new StoredTensor(name, TensorType.F32, boxed(shape), data);
    }

    /// Returns a tensor of bfloat16 numbers, `values` rounded to nearest, ties to even.
    public static StoredTensor ofBfloat16(String name, float[] values, long... shape) {
        var data = allocate(values.length, Short.BYTES);
        for (int i = 0; i < values.length; i++) {
            data.setAtIndex(I16, i, HalfFloats.toBfloat16(values[i]));
        }
        return new StoredTensor(name, TensorType.BF16, boxed(shape), data);
    }

    /// Returns a tensor of 32-bit integers with a copy of `values`.
    public static StoredTensor ofInts(String name, int[] values, long... shape) {
        var data = allocate(values.length, Integer.BYTES);
        MemorySegment.copy(values, 0, data, I32, 0, values.length);
        return new StoredTensor(name, TensorType.I32, boxed(shape), data);
    }

    /// Returns a tensor of 64-bit integers with a copy of `values`.
    public static StoredTensor ofLongs(String name, long[] values, long... shape) {
        var data = allocate(values.length, Long.BYTES);
        MemorySegment.copy(values, 0, data, I64, 0, values.length);
        return new StoredTensor(name, TensorType.I64, boxed(shape), data);
    }

    /// Returns a tensor of booleans.
    public static StoredTensor ofBooleans(String name, boolean[] values, long... shape) {
        var data = allocate(values.length, 1);
        for (int i = 0; i < values.length; i++) {
            data.set(ValueLayout.JAVA_BYTE, i, (byte) (values[i] ? 1 : 0));
        }
        return new StoredTensor(name, TensorType.BOOL, boxed(shape), data);
    }

    /// Returns the number of elements.
    public long elements() {
        return TensorEntry.elements(shape);
    }

    /// Returns a row of a matrix, without a copy.
    public StoredTensor row(long index) {
        long columns = shape.get(1);
        long bytes = type.bytes(columns);
        return new StoredTensor(name, type, List.of(columns), data.asSlice(index * bytes, bytes));
    }

    /// Returns rows of a matrix, without a copy.
    public StoredTensor rows(long first, long count) {
        long columns = shape.get(1);
        var rows = data.asSlice(type.bytes(first * columns), type.bytes(count * columns));
        return new StoredTensor(name, type, List.of(count, columns), rows);
    }

    /// Returns one of the tensors along its first dimension, without a copy.
    public StoredTensor of(long index) {
        var inner = shape.subList(1, shape.size());
        long bytes = type.bytes(TensorEntry.elements(inner));
        return new StoredTensor(name, type, inner, data.asSlice(index * bytes, bytes));
    }

    /// Returns the elements as 32-bit floats; 64-bit ones are rounded.
    ///
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if the type is not F32, F16, BF16, F64 or
    ///     one of blocks
    /// @throws IllegalStateException if there are more elements than an array can hold
    public float[] toFloats() {
        var values = new float[arraySize()];
        toFloats(MemorySegment.ofArray(values));
        return values;
    }

    /// Writes the elements as 32-bit floats in native byte order.
    ///
    /// @param floats has room for all of them
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if the type is not F32, F16, BF16, F64 or
    ///     one of blocks
    public void toFloats(MemorySegment floats) {
        switch (type) {
            case F32 -> MemorySegment.copy(data, F32, 0, floats, NATIVE, 0, elements());
            case BF16, F16 -> halvesToFloats(floats);
            case F64 -> {
                for (long i = 0; i < elements(); i++) {
                    floats.setAtIndex(NATIVE, i, (float) data.getAtIndex(F64, i));
                }
            }
            default -> {
                var blocks =
                        type.blocks()
                                .orElseThrow(() -> unreadable("floats (F32, F16, BF16 or F64)"));
                dequantise(blocks, floats);
            }
        }
    }

    /// Block by block through arrays, which is several times as fast as one number at a time.
    private void halvesToFloats(MemorySegment floats) {
        long count = elements();
        var halves = new short[(int) Math.min(BLOCK, count)];
        var numbers = new float[halves.length];
        for (long first = 0; first < count; first += BLOCK) {
            int length = (int) Math.min(BLOCK, count - first);
            if (Zeros.in(data.asSlice(first * Short.BYTES, (long) length * Short.BYTES))) {
                floats.asSlice(first * Float.BYTES, (long) length * Float.BYTES).fill((byte) 0);
                continue;
            }
            MemorySegment.copy(data, I16, first * Short.BYTES, halves, 0, length);
            if (type == TensorType.BF16) {
                for (int i = 0; i < length; i++) {
                    numbers[i] = HalfFloats.fromBfloat16(halves[i]);
                }
            } else {
                for (int i = 0; i < length; i++) {
                    numbers[i] = Float.float16ToFloat(halves[i]);
                }
            }
            MemorySegment.copy(numbers, 0, floats, NATIVE, first * Float.BYTES, length);
        }
    }

    private void dequantise(GgufType blocks, MemorySegment floats) {
        var reader = new WeightBlock();
        var block = new float[blocks.block()];
        for (long index = 0; index < elements() / block.length; index++) {
            reader.numbers(blocks, data, index * blocks.bytes(), block);
            long at = index * block.length * Float.BYTES;
            MemorySegment.copy(block, 0, floats, NATIVE, at, block.length);
        }
    }

    /// Returns the elements as integers.
    ///
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if the type is not I64, I32, U8 or BOOL
    /// @throws IllegalStateException if there are more elements than an array can hold
    public long[] toLongs() {
        var values = new long[arraySize()];
        if (type == TensorType.I64) {
            MemorySegment.copy(data, I64, 0, values, 0, values.length);
        } else if (type == TensorType.I32) {
            for (int i = 0; i < values.length; i++) {
                values[i] = data.getAtIndex(I32, i);
            }
        } else if (type == TensorType.U8 || type == TensorType.BOOL) {
            for (int i = 0; i < values.length; i++) {
                values[i] = data.get(ValueLayout.JAVA_BYTE, i) & 0xFF;
            }
        } else {
            throw unreadable("integers (I64, I32, U8 or BOOL)");
        }
        return values;
    }

    private int arraySize() {
        long elements = elements();
        if (elements > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException(
                    "tensor '%s' has %d elements, too many for an array; read data() instead"
                            .formatted(name, elements));
        }
        return (int) elements;
    }

    private OutriderException unreadable(String wanted) {
        return ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                "tensor '%s' is stored as %s; expected %s".formatted(name, type, wanted),
                "Use a checkpoint that is not quantised, or convert it to BF16.");
    }

    private static MemorySegment allocate(long elements, int bytes) {
        return Arena.ofAuto().allocate(Math.multiplyExact(elements, (long) bytes), 8);
    }

    private static List<Long> boxed(long... shape) {
        return Arrays.stream(shape).boxed().toList();
    }

    /// The position of one tensor in a safetensors file.
    ///
    /// @param name  unique in the file
    /// @param type  element type
    /// @param shape sizes of the dimensions, row-major; empty for a single element
    /// @param begin first byte, counted from the start of the data
    /// @param end   one past the last byte
    record TensorEntry(String name, TensorType type, List<Long> shape, long begin, long end) {
        TensorEntry {
            shape = List.copyOf(shape);
        }

        /// @throws ArithmeticException if the number overflows
        static long elements(List<Long> shape) {
            long product = 1;
            for (long size : shape) {
                product = Math.multiplyExact(product, size);
            }
            return product;
        }
    }
}
