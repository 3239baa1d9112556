package dev.outrider.nn.checkpoint;

/// A matrix in the number format of its file.
public sealed interface FileMatrix permits BlockMatrix, GroupedMatrix {
    /// Returns the number of rows.
    long rows();
}
