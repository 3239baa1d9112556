package dev.outrider.nn.runtime;

/// Element types of weights and activations.
public enum ElementType {
    F32(4, 6),
    BF16(2, 15);

    private final int bytes;
    private final int torchCode;

    ElementType(int bytes, int torchCode) {
        this.bytes = bytes;
        this.torchCode = torchCode;
    }

    /// Bytes of one element.
    public int bytes() {
        return bytes;
    }

    /// The number by which TorchScript calls the type.
    public int torchCode() {
        return torchCode;
    }
}
