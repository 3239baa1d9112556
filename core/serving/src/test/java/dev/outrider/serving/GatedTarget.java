package dev.outrider.serving;

import dev.outrider.common.CacheMemory;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ForwardingTarget;
import dev.outrider.testkit.ForwardingTargetSession;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// A table target whose passes wait until a test releases them, and which knows its open sessions.
final class GatedTarget implements ForwardingTarget {
    static final int ROW_BYTES = 10;

    final AtomicInteger open = new AtomicInteger();
    final ConcurrentLinkedQueue<Integer> passes = new ConcurrentLinkedQueue<>();
    final ConcurrentLinkedQueue<Integer> prefills = new ConcurrentLinkedQueue<>();
    final ConcurrentLinkedQueue<Integer> capacities = new ConcurrentLinkedQueue<>();
    volatile Optional<RuntimeException> failure = Optional.empty();
    private final TargetModel table =
            TableTarget.of(TableModel.random(5, DistributionStyle.DENSE, 1));
    private final Semaphore gate = new Semaphore(0);

    /// Releases so many passes.
    void letThrough(int passesMore) {
        gate.release(passesMore);
    }

    /// Releases all passes.
    void openGate() {
        gate.release(1 << 20);
    }

    @Override
    public TargetModel target() {
        return table;
    }

    @Override
    public TargetSession open(SessionRequest request) {
        var session = table.open(request);
        open.incrementAndGet();
        capacities.add(request.capacity());
        return new Counted(session);
    }

    @Override
    public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
        gate.acquireUninterruptibly();
        passes.add(requests.size());
        var broken = failure;
        failure = Optional.empty();
        broken.ifPresent(each -> {
            throw each;
        });
        return requests.stream().map(each -> each.session().score(each.tree())).toList();
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        CacheMemory memory = () -> ROW_BYTES;
        return type == CacheMemory.class ? Optional.of(type.cast(memory)) : Optional.empty();
    }

    private final class Counted implements ForwardingTargetSession {
        private final TargetSession session;
        private boolean closed;

        Counted(TargetSession session) {
            this.session = session;
        }

        @Override
        public TargetSession session() {
            return session;
        }

        @Override
        public HiddenStates prefill(int[] tokens) {
            prefills.add(tokens.length);
            return ForwardingTargetSession.super.prefill(tokens);
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                open.decrementAndGet();
            }
            session.close();
        }
    }
}
