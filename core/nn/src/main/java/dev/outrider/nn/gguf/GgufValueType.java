package dev.outrider.nn.gguf;

/// Types of metadata, in the order of the file's numbers.
enum GgufValueType {
    UINT8(1),
    INT8(1),
    UINT16(2),
    INT16(2),
    UINT32(4),
    INT32(4),
    FLOAT32(4),
    BOOL(1),
    STRING(0),
    ARRAY(0),
    UINT64(8),
    INT64(8),
    FLOAT64(8);

    private static final GgufValueType[] BY_CODE = values();

    private final int bytes;

    GgufValueType(int bytes) {
        this.bytes = bytes;
    }

    static GgufValueType ofCode(long code, String what) throws BrokenGguf {
        if (code >= BY_CODE.length) {
            throw new BrokenGguf(
                    "gives %s the type %d; expected one of 0 to %d"
                            .formatted(what, code, BY_CODE.length - 1));
        }
        return BY_CODE[(int) code];
    }

    /// Bytes of a number; 0 for what has no length of its own.
    int bytes() {
        return bytes;
    }
}
