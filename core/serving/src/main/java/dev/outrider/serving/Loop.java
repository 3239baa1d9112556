package dev.outrider.serving;

import dev.outrider.common.PrefixSharing;
import dev.outrider.common.Ticker;
import dev.outrider.engine.decode.SharedRound;
import dev.outrider.serving.Completion.Reason;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The loop of an engine: takes requests from the queue, and runs their rounds. Other threads call only the methods that say so.
final class Loop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

    /// While no request writes, reading delays nobody: then this many times the rows are read before the first round.
    private static final int UNHEARD = 4;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final SharedRound round;
    private final ServingLimits limits;
    private final Meter meter;
    private final RequestQueue queue = new RequestQueue();
    private final Beginnings beginnings;
    private final ArrayDeque<Job> reading = new ArrayDeque<>();
    private final List<Job> writing = new ArrayList<>();
    private int places;
    private long bytes;
    private boolean closing;
    private volatile boolean ending;

    Loop(
            TargetModel target,
            List<ServedVariant> variants,
            ServingLimits limits,
            Ticker ticker,
            Meter meter) {
        this.round = new SharedRound(target, ticker);
        this.limits = limits;
        this.meter = meter;
        this.beginnings =
                new Beginnings(
                        limits.sharePrompts()
                                ? target.capability(PrefixSharing.class)
                                : Optional.empty(),
                        variants,
                        limits.cacheBytes(),
                        () -> limits.cacheBytes() - bytes);
    }

    /// Puts a group of requests into the queue, if there is room for one more. For any thread.
    ///
    /// @return the reason of a refusal
    Optional<ErrorCode> offer(List<Job> group) {
        lock.lock();
        try {
            if (closing) {
                return Optional.of(ErrorCode.SERVICE_CLOSED);
            }
            if (places + queue.groups() >= (long) limits.maxSequences() + limits.maxQueued()) {
                return Optional.of(ErrorCode.QUEUE_FULL);
            }
            queue.add(group);
            changed.signalAll();
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /// Takes no more requests. For any thread.
    ///
    /// @param now whether the accepted requests end before the next round
    void close(boolean now) {
        lock.lock();
        try {
            closing = true;
            ending |= now;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Returns the counters. For any thread.
    ServingCounters counters() {
        lock.lock();
        try {
            return meter.counters(
                    places, queue.size(), bytes + beginnings.bytes(), limits.cacheBytes());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void run() {
        try (beginnings) {
            for (var over = next(); over.isPresent(); over = next()) {
                try {
                    step(over.get());
                } catch (RuntimeException | Error e) {
                    LOG.warn("a round failed, and its requests with it; the others go on", e);
                    writing.forEach(job -> job.onFailure(e));
                }
                sweep();
            }
        } catch (RuntimeException | Error e) {
            LOG.error("the loop of the server ended", e);
            abandon(e);
        }
    }

    /// Fails all requests, and accepts no others.
    private void abandon(Throwable failure) {
        close(true);
        var all = running();
        lock.lock();
        try {
            all.addAll(queue.removeIf(_ -> true));
        } finally {
            lock.unlock();
        }
        for (var job : all) {
            job.onFailure(failure);
            job.free();
            job.tellEnd();
        }
    }

    /// Waits for work; returns empty after the last request.
    ///
    /// @return requests that leave the queue without a place
    private Optional<List<Job>> next() {
        lock.lock();
        try {
            while (places == 0 && queue.size() == 0) {
                if (closing) {
                    return Optional.empty();
                }
                changed.awaitUninterruptibly();
            }
            return Optional.of(queue.removeIf(job -> ending || job.interruption().isPresent()));
        } finally {
            lock.unlock();
        }
    }

    /// Gives places to requests of the queue, as long as there are places and memory.
    private void admit() {
        var admitted = new ArrayList<Job>();
        lock.lock();
        try {
            for (var job = queue.peek(); job.isPresent() && fits(job.get()); job = queue.peek()) {
                queue.remove();
                places++;
                bytes += job.get().bytes();
                admitted.add(job.get());
            }
        } finally {
            lock.unlock();
        }
        reading.addAll(admitted);
        admitted.forEach(job -> job.start(beginnings));
    }

    /// A request that does not fit keeps its turn, so that small ones do not starve large ones. Requests need more memory than for their
    /// common prefix.
    private boolean fits(Job job) {
        long free = limits.cacheBytes() - bytes;
        if (ending || places >= limits.maxSequences() || job.bytes() > free) {
            return false;
        }
        if (job.bytes() > free - beginnings.bytes()) {
            beginnings.forget();
        }
        return true;
    }

    private void step(List<Job> over) {
        for (var job : over) {
            job.finish(job.interruption().orElse(Reason.CLOSED));
            job.tellEnd();
        }
        for (var job : running()) {
            var why = ending ? Optional.of(Reason.CLOSED) : job.interruption();
            why.ifPresent(reason -> job.attempt(() -> job.finish(reason)));
        }
        sweep();
        read();
        sweep();
        if (!writing.isEmpty()) {
            round.run(List.copyOf(writing));
        }
    }

    private List<Job> running() {
        var all = new ArrayList<>(reading);
        all.addAll(writing);
        return all;
    }

    /// Reads prompts, or parts of long ones, in turns, as much as may be read between two rounds. Requests that come meanwhile are
    /// admitted: requests that come together write together.
    private void read() {
        long most = (long) limits.prefillRows() * (writing.isEmpty() ? UNHEARD : 1);
        long left = most;
        while (left > 0) {
            admit();
            if (reading.isEmpty()) {
                return;
            }
            int unread = reading.getFirst().over() ? 0 : reading.getFirst().unread();
            boolean whole = unread <= left;
            if (!whole && left < most && unread <= limits.prefillRows()) {
                return; // the next time it is read in one pass
            }
            int part = Math.max(1, Math.min(limits.prefillRows(), whole ? unread : (int) left));
            left -= part;
            read(reading.removeFirst(), part);
        }
    }

    private void read(Job job, int part) {
        writing.add(job);
        job.attempt(() -> {
            if (!job.over() && !job.read(part) && !job.over()) {
                writing.removeLast();
                reading.addLast(job);
            }
        });
    }

    /// Removes the requests that are over.
    private void sweep() {
        var over = running().stream().filter(Job::over).toList();
        if (over.isEmpty()) {
            return;
        }
        reading.removeIf(Job::over);
        writing.removeIf(Job::over);
        over.forEach(Job::free);
        lock.lock();
        try {
            places -= over.size();
            bytes -= over.stream().mapToLong(Job::bytes).sum();
        } finally {
            lock.unlock();
        }
        over.forEach(Job::tellEnd);
    }
}
