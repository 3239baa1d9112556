package dev.outrider.nn.checkpoint;

/// A matrix as a file keeps it.
public sealed interface FileMatrix permits BlockMatrix, GroupedMatrix {
    /// How many rows it has.
    long rows();
}
