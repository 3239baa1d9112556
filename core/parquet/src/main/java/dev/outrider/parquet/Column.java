package dev.outrider.parquet;

/// A column of a table without missing values.
///
/// @param name unique within the table
/// @param type of its values
public record Column(String name, Type type) {
    /// Types of values.
    public enum Type {
        /// 32-bit integers; read as `int[]`.
        INT,
        /// 64-bit integers; read as `long[]`.
        LONG,
        /// 64-bit floating point; read as `double[]`.
        DOUBLE,
        /// UTF-8; read as `String[]`.
        TEXT,
        /// Lists of 32-bit integers, written from `int[]`; not read.
        INTS
    }
}
