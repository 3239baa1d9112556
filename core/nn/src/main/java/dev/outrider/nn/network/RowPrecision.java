package dev.outrider.nn.network;

/// How the numbers of rows are kept while matrices of integers with scales multiply them, see [Precision#INT8], [Precision#INT4] and the
/// formats of files. Other matrices multiply 32-bit floats, or what [Precision#W8A8] says.
public enum RowPrecision {
    /// 32-bit floats.
    F32,
    /// Eight bits and a 32-bit scale for every 32 numbers. Products of integers are exact; formats of floats have [#F32].
    INT8
}
