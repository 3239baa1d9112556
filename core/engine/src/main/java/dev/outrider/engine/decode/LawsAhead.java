package dev.outrider.engine.decode;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// Laws that a rule will ask for in order of their nodes, computed by the thread that asks and by helpers of the common
/// pool that run a few nodes ahead of it. Between pass and pass the cores have nothing else to do.
///
/// All threads take the lowest node that is free. The one that asks never waits while there is a free node: it computes that one
/// until its own is done. Nodes are offered to helpers as the rule goes on, so that little is computed in vain where it stops
/// early.
///
/// Owned by one thread, which alone calls its methods.
final class LawsAhead {
    /// More would wait for memory.
    private static final int MOST_HELPERS = 3;

    /// A helper leaves when the rule does not go on for so long.
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int OPEN = 0;
    private static final int DONE = 1;
    private static final int FAILED = 2;

    private final int last;
    private final int reach;
    private final IntFunction<MemorySegment> logits;
    private final Computation computation;
    private final MemorySegment[] offers;
    private final AtomicIntegerArray states;
    private final AtomicInteger free = new AtomicInteger();
    private final AtomicInteger active = new AtomicInteger();
    private volatile int offered = -1;
    private volatile boolean over;
    private long waited;

    /// Computes a law. Called by several threads at once, for different nodes.
    interface Computation {
        void compute(int node, MemorySegment logits);
    }

    /// How many helpers this machine has to give; 0 if it has one core. Where the common pool was given no threads, helpers never
    /// come, and the owner computes all.
    static int helpers() {
        return Math.min(MOST_HELPERS, Runtime.getRuntime().availableProcessors() - 1);
    }

    /// Starts the helpers.
    ///
    /// @param nodes       laws of nodes 0 to `nodes - 1` will be asked for
    /// @param known       nodes whose laws are computed already and in use
    /// @param logits      a node's logits; called by the owner only
    /// @param computation what all threads do
    /// @param helpers     at least 1
    LawsAhead(
            int nodes,
            IntPredicate known,
            IntFunction<MemorySegment> logits,
            Computation computation,
            int helpers) {
        this.last = nodes - 1;
        this.reach = 2 * helpers + 1;
        this.logits = logits;
        this.computation = computation;
        this.offers = new MemorySegment[nodes];
        this.states = new AtomicIntegerArray(nodes);
        IntStream.range(0, nodes).filter(known).forEach(node -> states.set(node, DONE));
        offer(0);
        for (int helper = 0; helper < helpers; helper++) {
            ForkJoinPool.commonPool().execute(this::help);
        }
    }

    /// Whether the node is one that [#await] can be called for.
    boolean covers(int node) {
        return node <= last;
    }

    /// Returns when a node's law is computed.
    ///
    /// @param node at least that of the call before
    void await(int node) {
        offer(node);
        while (states.get(node) == OPEN) {
            if (!computeNext()) {
                waitUntil(() -> states.get(node) != OPEN || free.get() <= node);
            }
        }
        if (states.get(node) == FAILED) {
            computation.compute(node, offers[node]); // fails here, where the rule can see it
        }
    }

    /// Returns when no helper is at work any more. None will be.
    void stop() {
        over = true;
        waitUntil(() -> active.get() == 0);
    }

    /// Nanoseconds that the owner has waited for helpers: more than a law takes if they had no core to run on.
    long waited() {
        return waited;
    }

    private void waitUntil(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
        waited += System.nanoTime() - start;
    }

    private void offer(int asked) {
        int end = Math.min(last, asked + reach);
        for (int node = offered + 1; node <= end; node++) {
            offers[node] = logits.apply(node);
        }
        offered = Math.max(offered, end);
    }

    private void help() {
        active.incrementAndGet();
        try {
            long idle = System.nanoTime();
            while (!over && free.get() <= last && System.nanoTime() - idle < PATIENCE) {
                if (computeNext()) {
                    idle = System.nanoTime();
                } else {
                    Thread.onSpinWait();
                }
            }
        } finally {
            active.decrementAndGet();
        }
    }

    /// Computes the lowest free node.
    ///
    /// @return false if there is none, or none whose logits this thread may read
    private boolean computeNext() {
        int node = free.get();
        if (node > offered
                || !offers[node].isAccessibleBy(Thread.currentThread())
                || !free.compareAndSet(node, node + 1)) {
            return false;
        }
        if (states.get(node) == DONE) {
            return true;
        }
        boolean failed = true;
        try {
            computation.compute(node, offers[node]);
            failed = false;
        } catch (RuntimeException failure) {
            // The owner comes to the same failure when it asks for this node.
        } finally {
            states.set(node, failed ? FAILED : DONE);
        }
        return true;
    }
}
