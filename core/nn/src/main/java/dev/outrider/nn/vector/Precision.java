package dev.outrider.nn.vector;

/// How the numbers of a matrix are kept. Rows that are multiplied by it are 32-bit floats.
///
/// @see "Dettmers et al. 2022 (LLM.int8()), on scales; the blocks of 32 are those of GGUF's Q8_0 and Q4_0"
public enum Precision {
    F32(32),
    BF16(16),
    F16(16),
    /// Eight bits and a 16-bit scale for every 32 numbers of an output.
    INT8(8.5),
    /// Four bits and a 16-bit scale for every 32 numbers of an output.
    INT4(4.5);

    private final double bits;

    Precision(double bits) {
        this.bits = bits;
    }

    /// Bits a weight takes, scales included.
    public double bits() {
        return bits;
    }
}
