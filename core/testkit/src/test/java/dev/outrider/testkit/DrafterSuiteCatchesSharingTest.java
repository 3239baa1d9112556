package dev.outrider.testkit;

import static dev.outrider.testkit.FaultySuites.HONEST;
import static dev.outrider.testkit.FaultySuites.caught;
import static dev.outrider.testkit.FaultySuites.changed;
import static dev.outrider.testkit.FaultySuites.firstOf;
import static dev.outrider.testkit.FaultySuites.suite;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.testkit.SessionLeaks.NativeMemory;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.TestAbortedException;

/// Planted faults: drafters whose sessions share state or leave something behind.
class DrafterSuiteCatchesSharingTest {
    @Test
    void aDrafterWhoseSessionsShareState() {
        var last = new AtomicReference<TokenTree>();
        var sharing =
                FaultyDrafters.spoiling(
                        HONEST,
                        (round, draft, before) -> {
                            var previous = last.getAndSet(draft.tree());
                            return round > 0 && !before.tree().equals(previous)
                                    ? firstOf(draft)
                                    : draft;
                        });
        caught(
                sharing,
                DrafterConformance::interleavedSessionsDoNotTouchEachOther,
                "the draft of round");
    }

    @Test
    void aDrafterThatKeepsInTheDrafterWhatBelongsToASession() {
        var scratch = new AtomicReference<Thread>();
        var sharing =
                changed(session ->
                        new WrappedDrafter.Session(session) {
                            @Override
                            public Draft propose(DraftBudget budget, Randomness randomness) {
                                scratch.set(Thread.currentThread());
                                var draft = super.propose(budget, randomness);
                                return Thread.currentThread().equals(scratch.get())
                                        ? draft
                                        : firstOf(draft);
                            }
                        });
        caught(
                sharing,
                DrafterConformance::sequencesThatTakeTurnsEqualThoseRunAlone,
                "in turns with others under schedule 0, compared with alone");
    }

    @Test
    void aDrafterThatReadsTheSourceOfTheSequenceOpenedLast() {
        var last = new AtomicReference<List<Integer>>(List.of());
        var sharing =
                new WrappedDrafter(HONEST, UnaryOperator.identity()) {
                    @Override
                    public DraftSession open(DraftRequest request) {
                        var read = last.getAndSet(request.source());
                        return super.open(
                                new DraftRequest(request.capacity(), request.policy(), read));
                    }
                };
        caught(
                sharing,
                DrafterConformance::inABatchEverySequenceReadsItsOwnSource,
                "of a batch, compared with alone");
        assertThatCode(() -> suite(sharing).besideASourceGreedyOutputEqualsPlainDecoding())
                .doesNotThrowAnyException();
    }

    @Test
    void aDrafterThatRefusesSourcesIsNotTriedOnThem() {
        var refusing =
                new WrappedDrafter(HONEST, UnaryOperator.identity()) {
                    @Override
                    public DraftSession open(DraftRequest request) {
                        if (!request.source().isEmpty()) {
                            throw new OutriderException(
                                    ErrorCode.CAPABILITY_MISSING, "reads no sources", "");
                        }
                        return super.open(request);
                    }
                };
        assertThatThrownBy(() -> suite(refusing).besideASourceGreedyOutputEqualsPlainDecoding())
                .isInstanceOf(TestAbortedException.class);
        assertThatCode(() -> suite(refusing).greedyOutputEqualsPlainDecoding())
                .doesNotThrowAnyException();
    }

    @Test
    void aDrafterThatServesTheThreadThatMadeItOnly() {
        var maker = Thread.currentThread();
        var bound =
                remembering(session -> {
                    if (!Thread.currentThread().equals(maker)) {
                        throw new IllegalStateException("opened on another thread");
                    }
                });
        caught(
                bound,
                DrafterConformance::sequencesOnSeveralThreadsEqualThoseRunAlone,
                "failed beside others");
        caught(
                bound,
                DrafterConformance::sequencesThatTakeTurnsEqualThoseRunAlone,
                "opened on another thread");
    }

    /// The thread with the turn may wait for a lock of a thread without the turn.
    @Test
    @Timeout(60)
    void aDrafterThatIsLockedWhileItDraftsKeepsTheDistributions() {
        var lock = new ReentrantLock();
        var locked =
                changed(session ->
                        new WrappedDrafter.Session(session) {
                            @Override
                            public Draft propose(DraftBudget budget, Randomness randomness) {
                                lock.lock();
                                try {
                                    return super.propose(budget, randomness);
                                } finally {
                                    lock.unlock();
                                }
                            }
                        });
        assertThatCode(() -> suite(locked).sequencesThatTakeTurnsEqualThoseRunAlone())
                .doesNotThrowAnyException();
    }

    @Test
    void aDrafterThatRemembersItsSessions() {
        var all = new ArrayList<DraftSession>();
        caught(
                remembering(all::add),
                DrafterConformance::closedSessionsLeaveNothingBehind,
                "closed sessions still reachable");
    }

    @Test
    void aDrafterThatKeepsHeapForEverySession() {
        var all = new ArrayList<byte[]>();
        caught(
                remembering(session -> all.add(new byte[16 << 10])),
                DrafterConformance::closedSessionsLeaveNothingBehind,
                "leaves behind in the heap");
    }

    @Test
    void aDrafterThatKeepsNativeMemoryForEverySession() {
        assumeTrue(NativeMemory.isKnown(), "needs glibc and native access");
        try (var arena = Arena.ofShared()) {
            caught(
                    remembering(session -> arena.allocate(512 << 10)),
                    DrafterConformance::closedSessionsLeaveNothingBehind,
                    "leaves behind in native memory");
        }
    }

    @Test
    void aDrafterWhoseSessionsLeaveThreads() {
        var end = new CountDownLatch(1);
        try {
            caught(
                    remembering(session -> waiting(end).start()),
                    DrafterConformance::closedSessionsLeaveNothingBehind,
                    "left by a session");
        } finally {
            end.countDown();
        }
    }

    @Test
    void whatIsMadeOnceOrFillsUpToALimitIsNoLeak() {
        var recent = new ArrayDeque<DraftSession>();
        var careful =
                remembering(session -> {
                    recent.add(session);
                    if (recent.size() > 10) {
                        recent.remove();
                    }
                });
        assertThatCode(() -> suite(careful).closedSessionsLeaveNothingBehind())
                .doesNotThrowAnyException();
    }

    private static Thread waiting(CountDownLatch end) {
        var thread =
                new Thread(
                        () -> {
                            try {
                                end.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        },
                        "left by a session");
        thread.setDaemon(true);
        return thread;
    }

    private static Drafter remembering(Consumer<DraftSession> opened) {
        return new WrappedDrafter(
                HONEST,
                session -> {
                    opened.accept(session);
                    return session;
                });
    }
}
