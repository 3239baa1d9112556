package dev.outrider.nn.gguf;

import java.util.Arrays;
import java.util.Optional;

/// Supported number formats of GGUF tensors. A row is a whole number of blocks.
///
/// @see "ggml's documentation of GGUF and of its block formats"
public enum GgufType {
    F32(0, 4),
    F16(1, 2),
    Q4_0(2, 32, 18, 32, false),
    Q4_1(3, 32, 20, 32, true),
    Q5_0(6, 32, 22, 32, false),
    Q5_1(7, 32, 24, 32, true),
    Q8_0(8, 32, 34, 32, false),
    Q2_K(10, 256, 84, 16, true),
    Q3_K(11, 256, 110, 16, false),
    Q4_K(12, 256, 144, 32, true),
    Q5_K(13, 256, 176, 32, true),
    Q6_K(14, 256, 210, 16, false),
    BF16(30, 2),
    MXFP4(39, 32, 17, 32, false);

    private final int code;
    private final int block;
    private final int bytes;
    private final int group;
    private final boolean offsets;

    GgufType(int code, int bytes) {
        this(code, 1, bytes, 1, false);
    }

    GgufType(int code, int block, int bytes, int group, boolean offsets) {
        this.code = code;
        this.block = block;
        this.bytes = bytes;
        this.group = group;
        this.offsets = offsets;
    }

    /// Returns the format of the file's type number, if supported.
    static Optional<GgufType> ofCode(long code) {
        return Arrays.stream(values()).filter(type -> type.code == code).findFirst();
    }

    /// Returns the file's type number.
    int code() {
        return code;
    }

    /// Returns the numbers of a block.
    public int block() {
        return block;
    }

    /// Returns how many numbers of a block share a scale.
    public int group() {
        return group;
    }

    /// Returns the groups of a block.
    public int groups() {
        return block / group;
    }

    /// Returns whether groups have an offset.
    public boolean offsets() {
        return offsets;
    }

    /// Returns the bytes of a block.
    public int bytes() {
        return bytes;
    }

    /// Returns the bytes of this many numbers.
    ///
    /// @throws ArithmeticException if they do not fill whole blocks, or overflow
    public long bytes(long numbers) {
        if (numbers % block != 0) {
            throw new ArithmeticException(
                    "%d numbers fill no whole blocks of %d".formatted(numbers, block));
        }
        return Math.multiplyExact(numbers / block, (long) bytes);
    }

    /// Returns the bits per number.
    public double bits() {
        return (double) bytes * Byte.SIZE / block;
    }
}
