package dev.outrider.engine.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LawsAheadTest {
    private static final int NODES = 64;
    private static final MemorySegment ANYWHERE = MemorySegment.ofArray(new float[1]);

    @Test
    void everyLawIsComputedOnceBeforeItIsHandedOut() {
        for (int round = 0; round < 200; round++) {
            var computed = new AtomicIntegerArray(NODES);
            var ahead =
                    new LawsAhead(
                            NODES,
                            _ -> false,
                            _ -> ANYWHERE,
                            (node, _) -> computed.incrementAndGet(node),
                            1 + round % 3);
            for (int node = 0; node < NODES; node++) {
                ahead.await(node);
                assertThat(computed.get(node)).isEqualTo(1);
            }
            ahead.stop();
            for (int node = 0; node < NODES; node++) {
                assertThat(computed.get(node)).isEqualTo(1);
            }
        }
    }

    @Test
    void whatIsKnownIsNotComputedAgain() {
        for (int round = 0; round < 200; round++) {
            var computed = new AtomicIntegerArray(NODES);
            var ahead =
                    new LawsAhead(
                            NODES,
                            node -> node % 3 == 0,
                            _ -> ANYWHERE,
                            (node, _) -> computed.incrementAndGet(node),
                            2);
            for (int node = 0; node < NODES; node += 2) {
                ahead.await(node);
                assertThat(computed.get(node)).isEqualTo(node % 3 == 0 ? 0 : 1);
            }
            ahead.stop();
        }
    }

    @Test
    void helpersTakePart() {
        assumeTrue(LawsAhead.helpers() > 0, "one core has no helpers");
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        var two = new CountDownLatch(2);
        // The first two computations wait for each other: one thread alone would never get on.
        var ahead =
                new LawsAhead(
                        NODES,
                        _ -> false,
                        _ -> ANYWHERE,
                        (_, _) -> {
                            threads.add(Thread.currentThread());
                            two.countDown();
                            awaitUninterrupted(two);
                        },
                        1);
        ahead.await(1);
        ahead.stop();

        assertThat(threads).hasSize(2).contains(Thread.currentThread());
    }

    @Test
    void littleIsComputedInVain() {
        for (int round = 0; round < 200; round++) {
            var count = new AtomicInteger();
            var ahead =
                    new LawsAhead(
                            NODES, _ -> false, _ -> ANYWHERE, (_, _) -> count.incrementAndGet(), 1);
            ahead.await(0);
            ahead.await(1);
            ahead.stop();
            int computed = count.get();

            assertThat(computed).isBetween(2, 5);
            Thread.onSpinWait();
            assertThat(count).hasValue(computed);
        }
    }

    @Test
    void memoryThatOthersMayNotReadIsReadByTheOwnerAlone() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        try (var arena = Arena.ofConfined()) {
            var own = arena.allocate(4);
            var ahead =
                    new LawsAhead(
                            NODES,
                            _ -> false,
                            _ -> own,
                            (_, _) -> threads.add(Thread.currentThread()),
                            3);
            for (int node = 0; node < NODES; node++) {
                ahead.await(node);
            }
            ahead.stop();
        }
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void whatFailsFailsWhereItIsAskedFor() {
        for (int round = 0; round < 200; round++) {
            var ahead =
                    new LawsAhead(
                            NODES,
                            _ -> false,
                            _ -> ANYWHERE,
                            (node, _) -> {
                                if (node == 2) {
                                    throw new IllegalStateException("no law at 2");
                                }
                            },
                            2);
            ahead.await(0);
            ahead.await(1);
            assertThatThrownBy(() -> ahead.await(2)).hasMessage("no law at 2");
            ahead.await(3);
            ahead.stop();
        }
    }

    @Test
    void theOwnerKnowsHowLongItWaited() {
        assumeTrue(LawsAhead.helpers() > 0, "one core has no helpers");
        long owner = Thread.currentThread().threadId();
        var started = new CountDownLatch(2);
        var ahead =
                new LawsAhead(
                        2,
                        _ -> false,
                        _ -> ANYWHERE,
                        (_, _) -> {
                            started.countDown();
                            awaitUninterrupted(started);
                            if (Thread.currentThread() instanceof ForkJoinWorkerThread) {
                                untilItHasRun(owner, TimeUnit.MILLISECONDS.toNanos(3));
                            }
                        },
                        1);
        ahead.await(1);
        ahead.stop();

        assertThat(ahead.waited()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1));
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /// Returns when a thread has used processor time; one that waits for this thread does so by spinning.
    private static void untilItHasRun(long thread, long nanos) {
        var threads = ManagementFactory.getThreadMXBean();
        long start = threads.getThreadCpuTime(thread);
        while (threads.getThreadCpuTime(thread) - start < nanos) {
            Thread.onSpinWait();
        }
    }
}
