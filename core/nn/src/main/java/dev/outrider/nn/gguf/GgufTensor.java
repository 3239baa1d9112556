package dev.outrider.nn.gguf;

import java.util.List;

/// The position of one tensor in a file.
///
/// @param name  unique in the file
/// @param type  number format
/// @param shape sizes of the dimensions, row-major (the file has the reverse order)
/// @param begin first byte, counted from the start of the data
/// @param bytes number of bytes
public record GgufTensor(String name, GgufType type, List<Long> shape, long begin, long bytes) {
    public GgufTensor {
        shape = List.copyOf(shape);
    }
}
