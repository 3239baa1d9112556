package dev.outrider.spi.draft;

import java.util.Set;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The kinds of [Selection], for declarations made before any draft exists.
@API(status = Status.STABLE, since = "2")
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
