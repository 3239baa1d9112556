package dev.outrider.parquet;

/// A column of a table. No value of it is absent.
///
/// @param name distinct within the table
/// @param type of its values
public record Column(String name, Type type) {
    /// What values are.
    public enum Type {
        /// 32-bit whole numbers, an `int[]` once read.
        INT,
        /// 64-bit whole numbers, a `long[]` once read.
        LONG,
        /// 64-bit floating point, a `double[]` once read.
        DOUBLE,
        /// UTF-8, a `String[]` once read.
        TEXT,
        /// Lists of 32-bit whole numbers, written from `int[]`; not read back.
        INTS,
        /// Lists of 64-bit floating point, written from `double[]`; not read back.
        DOUBLES
    }
}
