package dev.outrider.nn.runtime;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import java.lang.foreign.MemorySegment;

/// A tensor of any element type, bfloat16 included, that only TorchScript computes with.
///
/// Owner: whoever made it, and last the manager it is attached to. Not thread-safe.
public final class Tensor implements AutoCloseable {
    private final PtNDArray array;

    Tensor(PtNDArray array) {
        this.array = array;
    }

    /// Wraps an array; closing either closes both.
    public static Tensor of(NDArray array) {
        return new Tensor((PtNDArray) array);
    }

    /// A tensor over memory that somebody else owns, without a copy.
    ///
    /// @param memory little-endian 32-bit floats; must outlive the tensor and not exceed 2 GiB
    public static Tensor ofFloats(PtNDManager manager, MemorySegment memory, long... shape) {
        var buffer = memory.asByteBuffer();
        return of(manager.create(buffer, new ai.djl.ndarray.types.Shape(shape), DataType.FLOAT32));
    }

    /// A bfloat16 tensor with a copy of raw bits.
    ///
    /// @param bits little-endian bfloat16 numbers; must not exceed 2 GiB
    public static Tensor ofBfloat16Bits(PtNDManager manager, MemorySegment bits, long... shape) {
        // The engine takes 16-bit floats of the other kind; a view under the right type does the
        // rest.
        try (var raw =
                manager.create(
                        bits.asByteBuffer(),
                        new ai.djl.ndarray.types.Shape(shape),
                        DataType.FLOAT16)) {
            return TensorOps.get().asBfloat16(of(raw), manager);
        }
    }

    /// Sizes of the dimensions.
    public long[] shape() {
        return array.getShape().getShape();
    }

    /// The element type.
    ///
    /// @throws IllegalStateException if it is neither 32-bit nor bfloat16 floating point
    public ElementType type() {
        return switch (array.getDataType()) {
            case FLOAT32 -> ElementType.F32;
            case UNKNOWN -> ElementType.BF16;
            default -> throw new IllegalStateException("element type " + array.getDataType());
        };
    }

    /// The array, for the engine's own operations.
    ///
    /// @throws IllegalStateException if the element type is one that ends the JVM there
    public NDArray array() {
        if (array.getDataType() == DataType.UNKNOWN || array.getDataType() == DataType.INT16) {
            throw new IllegalStateException("a bfloat16 tensor has no array operations");
        }
        return array;
    }

    /// A view of the tensor's memory, valid until the tensor is closed.
    ///
    /// @throws IllegalStateException if the element type has no direct view
    public MemorySegment memory() {
        return MemorySegment.ofBuffer(array().toByteBuffer(true));
    }

    /// Releases the memory. Idempotent.
    @Override
    public void close() {
        array.close();
    }

    PtNDArray raw() {
        return array;
    }
}
