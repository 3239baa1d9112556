package dev.outrider.nn.gguf;

import java.util.List;

/// Where a file keeps one tensor.
///
/// @param name  unique in the file
/// @param type  number format
/// @param shape sizes of the dimensions, row-major: the file lists them the other way round
/// @param begin first byte, counted from the start of the data
/// @param bytes how many
public record GgufTensor(String name, GgufType type, List<Long> shape, long begin, long bytes) {
    public GgufTensor {
        shape = List.copyOf(shape);
    }
}
