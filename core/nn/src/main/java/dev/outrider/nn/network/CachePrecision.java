package dev.outrider.nn.network;

/// The number format of keys and values in caches. With fewer bits they are rounded when they are written; everything else is
/// computed in 32 bits.
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
