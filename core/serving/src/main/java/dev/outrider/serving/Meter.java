package dev.outrider.serving;

import dev.outrider.serving.Completion.Reason;
import dev.outrider.serving.ServingCounters.Histogram;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Counts what an engine does. Thread-safe.
final class Meter {
    private static final double NANOS = 1e9;
    private static final List<Double> BOUNDS =
            List.of(
                    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0,
                    50.0, 100.0, 200.0, 500.0, 1000.0);

    /// Weight of the last request in the mean time in the loop.
    private static final double LAST = 0.2;

    private final Map<Reason, Long> finished = new EnumMap<>(Reason.class);
    private final List<Long> acceptedByPosition = new ArrayList<>();
    private final Buckets firstToken = new Buckets();
    private final Buckets betweenTokens = new Buckets();
    private final Buckets endToEnd = new Buckets();
    private long failed;
    private long refused;
    private long drafts;
    private long drafted;
    private long accepted;
    private long promptTokens;
    private long lookedTokens;
    private long sharedTokens;
    private long emitted;
    private double servedSeconds;

    /// Counts a request that was refused because the queue was full.
    synchronized void refused() {
        refused++;
    }

    /// Counts tokens of a prompt that were read.
    synchronized void read(int tokens) {
        promptTokens += tokens;
    }

    /// Counts a prompt that was compared with earlier ones.
    ///
    /// @param shared number of its tokens that they had read
    synchronized void looked(int tokens, int shared) {
        lookedTokens += tokens;
        sharedTokens += shared;
    }

    /// Counts a request's round.
    ///
    /// @param depth number of accepted guesses in its text
    synchronized void round(int nodes, int depth, int tokens) {
        drafts += nodes > 0 ? 1 : 0;
        drafted += nodes;
        accepted += depth;
        emitted += tokens;
        for (int position = 0; position < depth; position++) {
            if (position == acceptedByPosition.size()) {
                acceptedByPosition.add(0L);
            }
            acceptedByPosition.set(position, acceptedByPosition.get(position) + 1);
        }
    }

    synchronized void firstToken(long nanos) {
        firstToken.add(nanos / NANOS, 1);
    }

    /// Counts tokens that came some time after the last ones.
    synchronized void later(long nanos, int tokens) {
        betweenTokens.add(nanos / NANOS / tokens, tokens);
    }

    /// Counts a request that left its place in the loop.
    synchronized void served(long nanos) {
        double seconds = nanos / NANOS;
        servedSeconds =
                servedSeconds == 0 ? seconds : servedSeconds + LAST * (seconds - servedSeconds);
    }

    synchronized void finished(Reason reason, long nanos) {
        finished.merge(reason, 1L, Long::sum);
        endToEnd.add(nanos / NANOS, 1);
    }

    synchronized void failed() {
        failed++;
    }

    /// Returns the mean seconds that the last requests had a place in the loop; 0 before the first has left.
    synchronized double servedSeconds() {
        return servedSeconds;
    }

    /// Returns the counters.
    synchronized ServingCounters counters(int running, int waiting, long bytes, long limit) {
        return new ServingCounters(
                running,
                waiting,
                finished,
                failed,
                refused,
                drafts,
                drafted,
                accepted,
                acceptedByPosition,
                promptTokens,
                lookedTokens,
                sharedTokens,
                emitted,
                bytes,
                limit,
                firstToken.histogram(),
                betweenTokens.histogram(),
                endToEnd.histogram());
    }

    /// Guarded by the meter.
    private static final class Buckets {
        private final long[] counts = new long[BOUNDS.size() + 1];
        private double sum;

        void add(double seconds, int times) {
            int bucket = 0;
            while (bucket < BOUNDS.size() && seconds > BOUNDS.get(bucket)) {
                bucket++;
            }
            counts[bucket] += times;
            sum += seconds * times;
        }

        Histogram histogram() {
            return new Histogram(BOUNDS, Arrays.stream(counts).boxed().toList(), sum);
        }
    }
}
