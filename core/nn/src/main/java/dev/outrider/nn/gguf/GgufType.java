package dev.outrider.nn.gguf;

import java.util.Arrays;
import java.util.Optional;

/// Number formats of GGUF tensors that can be read. Rows are made of whole blocks.
///
/// @see "ggml's documentation of GGUF and of its block formats"
public enum GgufType {
    F32(0, 1, 4),
    F16(1, 1, 2),
    Q4_0(2, 32, 18),
    Q4_1(3, 32, 20),
    Q5_0(6, 32, 22),
    Q5_1(7, 32, 24),
    Q8_0(8, 32, 34),
    Q2_K(10, 256, 84),
    Q3_K(11, 256, 110),
    Q4_K(12, 256, 144),
    Q5_K(13, 256, 176),
    Q6_K(14, 256, 210),
    BF16(30, 1, 2),
    MXFP4(39, 32, 17);

    private final int code;
    private final int block;
    private final int bytes;

    GgufType(int code, int block, int bytes) {
        this.code = code;
        this.block = block;
        this.bytes = bytes;
    }

    /// The format of a file's number, if it can be read.
    static Optional<GgufType> ofCode(int code) {
        return Arrays.stream(values()).filter(type -> type.code == code).findFirst();
    }

    /// Numbers of a block.
    public int block() {
        return block;
    }

    /// Bytes of a block.
    public int bytes() {
        return bytes;
    }

    /// Bits a number takes.
    public double bits() {
        return (double) bytes * Byte.SIZE / block;
    }
}
