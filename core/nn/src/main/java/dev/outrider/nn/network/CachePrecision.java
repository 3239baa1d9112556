package dev.outrider.nn.network;

/// How keys and values are kept in caches. Fewer bits round them when they are written; all else is computed in 32 bits.
public enum CachePrecision {
    /// 32-bit floats.
    F32,
    /// The upper halves of 32-bit floats, rounded to nearest: half the memory.
    BF16;

    /// Bytes of a number.
    public int bytes() {
        return this == F32 ? Float.BYTES : Short.BYTES;
    }
}
