package dev.outrider.common;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Lets one thread at a time into an object that is confined to one, so that a second one is told instead of spoiling what the
/// first is at. Between calls an object may move to another thread. Costs two exchanges of a reference.
public final class Confinement {
    private static final Object NOBODY = new Object();

    private final AtomicReference<Object> inside = new AtomicReference<>(NOBODY);

    /// Nobody is inside.
    public Confinement() {}

    /// Enters, unless another thread, or this one, is inside.
    ///
    /// @return who is; empty if this thread has entered and must [#leave]
    public Optional<String> enter() {
        var thread = Thread.currentThread();
        var other = inside.compareAndExchange(NOBODY, thread);
        return other instanceof Thread somebody
                ? Optional.of(somebody.getName())
                : Optional.empty();
    }

    /// Leaves again.
    public void leave() {
        inside.set(NOBODY);
    }
}
