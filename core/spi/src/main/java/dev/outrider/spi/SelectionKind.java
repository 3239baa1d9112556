package dev.outrider.spi;

import java.util.Set;

/// The kinds of [Selection], for declarations made before any draft exists.
public enum SelectionKind {
    /// [Selection.PointMass].
    POINT_MASS,
    /// [Selection.Independent].
    INDEPENDENT,
    /// [Selection.WithoutReplacement].
    WITHOUT_REPLACEMENT;

    /// {@return every kind: what a rule judges that asks nothing of q}
    public static Set<SelectionKind> any() {
        return Set.of(values());
    }
}
