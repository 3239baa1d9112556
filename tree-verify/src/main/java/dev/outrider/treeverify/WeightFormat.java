package dev.outrider.treeverify;

/// Number formats of weight matrices on a device. Norms, biases, cache and all that is computed are 32-bit floats.
public enum WeightFormat {
    /// 32-bit floats.
    F32(4),

    /// 16 bits, as [dev.outrider.treeverify.pass.HalfMatrix] packs them.
    F16(2);

    private final int bytes;

    WeightFormat(int bytes) {
        this.bytes = bytes;
    }

    /// Bytes of one weight.
    public int bytes() {
        return bytes;
    }
}
