package dev.outrider.nn.network;

/// The number format of keys and values in caches. With fewer bits they are rounded when they are written; everything else is
/// computed in 32 bits.
public enum CachePrecision {
    /// 32-bit floats.
    F32,
    /// The upper halves of 32-bit floats, rounded to nearest: half the memory.
    BF16,
    /// Levels from -127 to 127, and a 32-bit scale for each head's key in a row and another for its value: little over a quarter of the
    /// memory.
    INT8;

    /// Returns the bytes of a number of a head's key or value, with its part of the scale.
    public double bytes(int headSize) {
        return switch (this) {
            case F32 -> Float.BYTES;
            case BF16 -> Short.BYTES;
            case INT8 -> 1 + (double) Float.BYTES / headSize;
        };
    }
}
