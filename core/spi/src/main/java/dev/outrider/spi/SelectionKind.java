package dev.outrider.spi;

/// The kinds of [Selection], for declarations made before any draft exists.
public enum SelectionKind {
    POINT_MASS,
    INDEPENDENT,
    WITHOUT_REPLACEMENT
}
