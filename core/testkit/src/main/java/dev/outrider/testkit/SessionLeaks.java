package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;
import static dev.outrider.testkit.Expect.assumeTrue;

import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/// Looks for resources that closed sessions leave behind: opens, uses and closes block after block of sessions, and after each
/// block counts the sessions that are still reachable, the live heap, native memory and threads. A resource that grows in every
/// block leaks; one that is created once, or grows up to a limit, does not. The JVM's compilers allocate native memory while they
/// run, so native memory leaks only if it grows in one pass over all blocks after another.
///
/// Counting collects garbage, which is slow. So it is first done only before and after all blocks: growth below the bounds of all
/// blocks together is below the bound in some block.
///
/// Not detected: less than [#HEAP_BYTES] and [#NATIVE_BYTES] a session, native memory if [NativeMemory] does not know it, device
/// memory, and virtual threads.
///
/// Confined to one thread. Allocations of other threads count as the drafter's only if they grow in every block.
final class SessionLeaks {
    /// Growth of the heap that is a leak, in bytes a session.
    static final int HEAP_BYTES = 512;

    /// Growth of native memory that is a leak, in bytes a session.
    static final int NATIVE_BYTES = 16 << 10;

    private static final int BLOCKS = 4;
    private static final int SESSIONS = 16;
    private static final int NATIVE_PASSES = 8;
    private static final int NATIVE_LIMIT = NATIVE_BYTES * SESSIONS * BLOCKS;
    private static final int COMPILER_PAUSES = 10;
    private static final int COLLECTIONS = 2;
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final Drafter drafter;
    private final List<WeakReference<DraftSession>> sessions = new ArrayList<>();
    private final Set<Thread> known = new HashSet<>(Thread.getAllStackTraces().keySet());

    SessionLeaks(Drafter drafter) {
        this.drafter = drafter;
    }

    /// Resources in use after a block, or their growth.
    ///
    /// @param sessions closed ones that are still reachable
    /// @param heap     live bytes
    /// @param outside  bytes outside the heap
    private record Stock(long sessions, long heap, long outside, long threads) {}

    /// @param use opens a session of the given drafter, drafts with it and closes it
    void assertNone(Consumer<Drafter> use) {
        assumeTrue(collectsOnRequest(), "this JVM does not collect garbage when it is asked to");
        var watched = new WrappedDrafter(drafter, this::watched);
        block(watched, use);
        var grown = growth(watched, use);
        if (grown.sessions() >= BLOCKS
                || grown.threads() >= BLOCKS
                || grown.heap() >= HEAP_BYTES * SESSIONS * BLOCKS) {
            assertNoBlockGrows(blockByBlock(watched, use));
        }
        for (int pass = 1; pass < NATIVE_PASSES && grown.outside() >= NATIVE_LIMIT; pass++) {
            awaitCompilers();
            grown = growth(watched, use);
        }
        assertThat(grown.outside() / (BLOCKS * SESSIONS))
                .describedAs("bytes a closed session leaves behind in native memory")
                .isLessThan(NATIVE_BYTES);
    }

    /// Returns the resources that all blocks together leave behind.
    private Stock growth(Drafter watched, Consumer<Drafter> use) {
        known.addAll(newThreads());
        var before = stock(1);
        for (int block = 0; block < BLOCKS; block++) {
            block(watched, use);
        }
        var after = stock(1);
        return new Stock(
                after.sessions() - before.sessions(),
                after.heap() - before.heap(),
                after.outside() - before.outside(),
                after.threads() - before.threads());
    }

    private void assertNoBlockGrows(List<Stock> stocks) {
        assertThat(leastGrowth(stocks, Stock::sessions))
                .describedAs("closed sessions still reachable, of %d", SESSIONS)
                .isZero();
        assertThat(leastGrowth(stocks, Stock::threads))
                .describedAs(
                        "threads still running after %d sessions were closed: %s",
                        SESSIONS, names(newThreads()))
                .isZero();
        assertThat(leastGrowth(stocks, Stock::heap) / SESSIONS)
                .describedAs("bytes a closed session leaves behind in the heap")
                .isLessThan(HEAP_BYTES);
    }

    private List<Stock> blockByBlock(Drafter watched, Consumer<Drafter> use) {
        var stocks = new ArrayList<Stock>();
        // Threads that remain after the first sessions are not waited for again; growth is counted
        // from block to block.
        known.addAll(newThreads());
        stocks.add(stock(COLLECTIONS));
        for (int block = 0; block < BLOCKS; block++) {
            block(watched, use);
            stocks.add(stock(COLLECTIONS));
        }
        return stocks;
    }

    /// Waits until nothing was compiled for a while, up to a limit.
    private static void awaitCompilers() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        long before = -1;
        while (compilation() != before && System.nanoTime() < end) {
            before = compilation();
            for (int pause = 0; pause < COMPILER_PAUSES; pause++) {
                pause();
            }
        }
    }

    private static long compilation() {
        var compilers = ManagementFactory.getCompilationMXBean();
        return compilers == null ? 0 : compilers.getTotalCompilationTime();
    }

    /// The least growth from one block to the next.
    private static long leastGrowth(List<Stock> stocks, ToLongFunction<Stock> what) {
        long least = Long.MAX_VALUE;
        for (int block = 1; block < stocks.size(); block++) {
            long grown =
                    what.applyAsLong(stocks.get(block)) - what.applyAsLong(stocks.get(block - 1));
            least = Math.min(least, grown);
        }
        return Math.max(0, least);
    }

    private static void block(Drafter watched, Consumer<Drafter> use) {
        for (int session = 0; session < SESSIONS; session++) {
            use.accept(watched);
        }
    }

    private DraftSession watched(DraftSession session) {
        sessions.add(new WeakReference<>(session));
        return session;
    }

    private Stock stock(int collections) {
        awaitNewThreads();
        long heap = Long.MAX_VALUE;
        for (int collection = 0; collection < collections; collection++) {
            System.gc();
            pause();
            heap =
                    Math.min(
                            heap,
                            ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return new Stock(reachable(), heap, NativeMemory.used(), newThreads().size());
    }

    /// A session object that is used several times counts once.
    private int reachable() {
        sessions.removeIf(each -> each.refersTo(null));
        Set<Object> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
        for (var each : sessions) {
            var session = each.get();
            if (session != null) {
                distinct.add(session);
            }
        }
        return distinct.size();
    }

    private List<Thread> newThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !known.contains(thread))
                .toList();
    }

    private static List<String> names(List<Thread> threads) {
        return threads.stream().map(Thread::getName).distinct().sorted().limit(5).toList();
    }

    private static boolean collectsOnRequest() {
        var canary = new WeakReference<>(new Object());
        for (int collection = 0; collection < COLLECTIONS && !canary.refersTo(null); collection++) {
            System.gc();
            pause();
        }
        return canary.refersTo(null);
    }

    /// Waits for threads that are ending, with one time limit for all of them.
    private void awaitNewThreads() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        try {
            for (var thread : newThreads()) {
                thread.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Collectors, cleaners and compilers do not report their end.
    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Memory that the C library has allocated in the whole process: `java.lang.foreign` arenas, direct
    /// buffers, tensors, and everything else that uses `malloc`. Known on Linux with glibc 2.33 or
    /// newer, if the JVM was started with `--enable-native-access=ALL-UNNAMED`.
    ///
    /// Thread-safe.
    static final class NativeMemory {
        private static final ValueLayout.OfLong SIZE = ValueLayout.JAVA_LONG;
        private static final int FIELDS = 10;
        private static final int MAPPED = 4;
        private static final int IN_USE = 7;
        private static final Optional<MethodHandle> MALLINFO =
                NativeMemory.class.getModule().isNativeAccessEnabled()
                        ? mallinfo()
                        : Optional.empty();

        private NativeMemory() {}

        /// {@return whether it is known on this system}
        static boolean isKnown() {
            return MALLINFO.isPresent();
        }

        /// {@return bytes in use; 0 if unknown}
        ///
        /// @see "mallinfo2(3): uordblks and hblkhd"
        static long used() {
            if (MALLINFO.isEmpty()) {
                return 0;
            }
            try (var arena = Arena.ofConfined()) {
                var info = (MemorySegment) MALLINFO.get().invokeExact((SegmentAllocator) arena);
                return info.getAtIndex(SIZE, IN_USE) + info.getAtIndex(SIZE, MAPPED);
            } catch (Throwable e) {
                throw new IllegalStateException("mallinfo2 failed", e);
            }
        }

        private static Optional<MethodHandle> mallinfo() {
            var linker = Linker.nativeLinker();
            var type = MemoryLayout.structLayout(MemoryLayout.sequenceLayout(FIELDS, SIZE));
            return linker.defaultLookup()
                    .find("mallinfo2")
                    .map(address -> linker.downcallHandle(address, FunctionDescriptor.of(type)));
        }
    }
}
