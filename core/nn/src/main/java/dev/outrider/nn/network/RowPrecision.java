package dev.outrider.nn.network;

/// The number format of rows that matrices of integers in 4 to 8 bits multiply, see [Precision#INT8] and the formats of
/// files. Other matrices multiply 32-bit floats, or rows as in [Precision#W8A8].
public enum RowPrecision {
    /// 32-bit floats.
    F32,
    /// Eight bits and a 32-bit scale for every 32 numbers. Sums of products of integers are exact.
    INT8
}
