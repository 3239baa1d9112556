package dev.outrider.spi;

/// The kinds of [Selection], for declarations made before any draft exists.
public enum SelectionKind {
    /// [Selection.PointMass].
    POINT_MASS,
    /// [Selection.Independent].
    INDEPENDENT,
    /// [Selection.WithoutReplacement].
    WITHOUT_REPLACEMENT
}
