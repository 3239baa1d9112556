package dev.outrider.nn.checkpoint;

import java.util.List;

/// Where a safetensors file keeps one tensor.
///
/// @param name  unique in the file
/// @param type  element type
/// @param shape sizes of the dimensions, row-major; empty for a single element
/// @param begin first byte, counted from the start of the data
/// @param end   one past the last byte
record TensorEntry(String name, TensorType type, List<Long> shape, long begin, long end) {
    TensorEntry {
        shape = List.copyOf(shape);
    }

    /// @throws ArithmeticException if the number overflows
    static long elements(List<Long> shape) {
        long product = 1;
        for (long size : shape) {
            product = Math.multiplyExact(product, size);
        }
        return product;
    }
}
