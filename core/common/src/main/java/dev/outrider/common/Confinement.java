package dev.outrider.common;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Allows one thread at a time into an object that is confined to one thread: a second one gets an
/// error instead of damaging the state. Between calls an object may move to another thread. Costs
/// two exchanges of a reference.
public final class Confinement {
    private static final Object NO_THREAD = new Object();

    private final AtomicReference<Object> inside = new AtomicReference<>(NO_THREAD);

    /// Creates a free instance.
    public Confinement() {}

    /// Enters, unless this or another thread is inside.
    ///
    /// @return the thread that is inside; empty if this thread has entered and must [#leave]
    public Optional<String> enter() {
        var thread = Thread.currentThread();
        var other = inside.compareAndExchange(NO_THREAD, thread);
        return other instanceof Thread somebody
                ? Optional.of(somebody.getName())
                : Optional.empty();
    }

    /// Leaves again.
    public void leave() {
        inside.set(NO_THREAD);
    }
}
