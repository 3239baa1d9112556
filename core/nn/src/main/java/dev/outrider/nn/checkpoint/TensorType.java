package dev.outrider.nn.checkpoint;

import java.util.Arrays;
import java.util.Optional;

/// Element types of stored tensors, named as safetensors files name them.
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
    F4(4);

    private final int bits;

    TensorType(int bits) {
        this.bits = bits;
    }

    /// Whether weights are kept in it without a scale.
    public boolean isFloat() {
        return this == F16 || this == BF16 || this == F32 || this == F64;
    }

    /// Bits of one element; below 8 for packed types.
    public int bits() {
        return bits;
    }

    /// The type of that name, if there is one.
    public static Optional<TensorType> named(String name) {
        return Arrays.stream(values()).filter(type -> type.name().equals(name)).findFirst();
    }

    /// Bytes of `elements` packed elements.
    ///
    /// @throws ArithmeticException if they do not fill whole bytes or overflow
    long bytes(long elements) {
        long total = Math.multiplyExact(elements, (long) bits);
        if (total % 8 != 0) {
            throw new ArithmeticException(
                    "%d elements of %d bits fill no whole bytes".formatted(elements, bits));
        }
        return total / 8;
    }
}
