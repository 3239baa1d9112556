package dev.outrider.serving;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Runs calls in order, one at a time, on virtual threads. Thread-safe.
final class Delivery {
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger undone = new AtomicInteger();

    /// Adds a call, which must not throw. Returns at once.
    void add(Runnable call) {
        waiting.add(call);
        if (undone.getAndIncrement() == 0) {
            Thread.ofVirtual().name("outrider-serving-listener").start(this::run);
        }
    }

    private void run() {
        do {
            waiting.remove().run();
        } while (undone.decrementAndGet() > 0);
    }
}
