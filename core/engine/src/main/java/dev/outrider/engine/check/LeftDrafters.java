package dev.outrider.engine.check;

import dev.outrider.spi.Drafter;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/// The drafters of a run that did not come back from a call. They are not called again. Thread-safe.
public final class LeftDrafters {
    private final Set<Drafter> left = Collections.newSetFromMap(new IdentityHashMap<>());

    /// None so far.
    public LeftDrafters() {}

    synchronized void add(Drafter drafter) {
        left.add(Contract.original(drafter));
    }

    /// Whether a drafter is one of them.
    public synchronized boolean contains(Drafter drafter) {
        return left.contains(Contract.original(drafter));
    }

    /// Whether there are none.
    public synchronized boolean isEmpty() {
        return left.isEmpty();
    }
}
