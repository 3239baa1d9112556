package dev.outrider.nn.checkpoint;

import dev.outrider.nn.gguf.GgufType;
import java.util.Arrays;
import java.util.Optional;

/// Element types of stored tensors, named as in safetensors and GGUF files.
public enum TensorType {
    BOOL(8),
    U8(8),
    I8(8),
    I16(16),
    U16(16),
    I32(32),
    U32(32),
    I64(64),
    U64(64),
    F16(16),
    BF16(16),
    F32(32),
    F64(64),
    C64(64),
    F8_E4M3(8),
    F8_E5M2(8),
    F8_E8M0(8),
    F8_E4M3FNUZ(8),
    F8_E5M2FNUZ(8),
    F6_E2M3(6),
    F6_E3M2(6),
    F4(4),
    Q4_0(GgufType.Q4_0),
    Q4_1(GgufType.Q4_1),
    Q5_0(GgufType.Q5_0),
    Q5_1(GgufType.Q5_1),
    Q8_0(GgufType.Q8_0),
    Q2_K(GgufType.Q2_K),
    Q3_K(GgufType.Q3_K),
    Q4_K(GgufType.Q4_K),
    Q5_K(GgufType.Q5_K),
    Q6_K(GgufType.Q6_K),
    MXFP4(GgufType.MXFP4);

    private final int bits;
    private final Optional<GgufType> blocks;

    TensorType(int bits) {
        this.bits = bits;
        blocks = Optional.empty();
    }

    TensorType(GgufType type) {
        bits = 0;
        blocks = Optional.of(type);
    }

    /// Returns the element type of a GGUF type.
    static TensorType of(GgufType type) {
        return valueOf(type.name());
    }

    /// Returns its GGUF block format, if it is one.
    public Optional<GgufType> blocks() {
        return blocks;
    }

    /// Returns whether it is a float type without a scale.
    public boolean isFloat() {
        return this == F16 || this == BF16 || this == F32 || this == F64;
    }

    /// Returns the bits of one element; below 8 for packed types, a mean for blocks.
    public double bits() {
        return blocks.map(GgufType::bits).orElse((double) bits);
    }

    /// Returns the type of a safetensors name, if it exists.
    public static Optional<TensorType> named(String name) {
        return Arrays.stream(values())
                .filter(type -> type.blocks.isEmpty() && type.name().equals(name))
                .findFirst();
    }

    /// Returns the bytes of `elements` packed elements.
    ///
    /// @throws ArithmeticException if they do not fill whole bytes or overflow
    long bytes(long elements) {
        if (blocks.isPresent()) {
            return blocks.get().bytes(elements);
        }
        long total = Math.multiplyExact(elements, (long) bits);
        if (total % 8 != 0) {
            throw new ArithmeticException(
                    "%d elements of %d bits fill no whole bytes".formatted(elements, bits));
        }
        return total / 8;
    }
}
