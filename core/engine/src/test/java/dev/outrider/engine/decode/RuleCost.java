package dev.outrider.engine.decode;

import com.sun.management.ThreadMXBean;
import dev.outrider.engine.acceptance.RegisteredRules;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.StreamRandomness;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/// Measures time and allocation of every rule's decision per round, distributions included: by the
/// clock, and in processor time of the deciding thread, which other programs disturb less. The best
/// of several batches. Not a test; run its main method. `docs/results/performance.md` has the
/// command and a table.
final class RuleCost {
    private static final int WARM_UP = 400;
    private static final int BATCHES = 7;
    private static final int BATCH = 64;

    private RuleCost() {}

    public static void main(String[] arguments) {
        var rows = new PreparedRounds();
        System.out.printf(
                "%-20s %5s %9s %9s %8s %8s%n",
                "rule", "nodes", "us/round", "own cpu", "B/round", "accepted");
        for (var rule : RegisteredRules.all()) {
            for (int nodes : new int[] {8, 64}) {
                measure(rule, nodes, rows);
            }
        }
        for (int nodes : new int[] {8, 64}) {
            recorded(nodes);
        }
    }

    /// Measures the check that recorded distributions are valid and do not change.
    private static void recorded(int nodes) {
        var row = new double[PreparedRounds.VOCABULARY];
        Arrays.fill(row, 1.0 / row.length);
        double best = Double.POSITIVE_INFINITY;
        for (int batch = 0; batch < WARM_UP; batch++) {
            long start = System.nanoTime();
            var builder = DraftDistributions.builder();
            for (int node = 0; node < nodes; node++) {
                builder.put(node, row);
            }
            var distributions = builder.build().watched();
            for (int node = 0; node < nodes; node++) {
                if (distributions.problem(node).isPresent()
                        || distributions.row(node).length != row.length) {
                    throw new IllegalStateException("the row is a distribution");
                }
            }
            if (distributions.changed().isPresent()) {
                throw new IllegalStateException("the row stays as it is");
            }
            best = Math.min(best, (System.nanoTime() - start) / 1e3);
        }
        System.out.printf("%-20s %5d %9.0f%n", "(rows looked at)", nodes, best);
    }

    private static void measure(AcceptanceRule rule, int nodes, PreparedRounds rows) {
        var thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().threadId();
        var rounds = rows.of(rule, nodes);
        var distributions = rounds.getFirst().distributions();
        double best = Double.POSITIVE_INFINITY;
        double own = Double.POSITIVE_INFINITY;
        long bytes = 0;
        int accepted = 0;
        int round = 0;
        for (int batch = -1; batch < BATCHES; batch++) {
            int count = batch < 0 ? WARM_UP : BATCH;
            long startBytes = thread.getThreadAllocatedBytes(id);
            long start = System.nanoTime();
            long startOwn = thread.getCurrentThreadCpuTime();
            accepted = 0;
            for (int done = 0; done < count; done++, round++) {
                var prepared = rounds.get(round % rounds.size());
                distributions.next(prepared.scores(), prepared.draft().tree(), TokenHistory.of(0));
                var randomness = new StreamRandomness(new KeyedRandomStreams(1, 1), round);
                accepted +=
                        rule.decide(prepared.draft(), distributions, randomness).acceptedLength();
            }
            if (batch >= 0) {
                best = Math.min(best, (System.nanoTime() - start) / 1e3 / count);
                own = Math.min(own, (thread.getCurrentThreadCpuTime() - startOwn) / 1e3 / count);
                bytes = (thread.getThreadAllocatedBytes(id) - startBytes) / count;
            }
        }
        System.out.printf(
                "%-20s %5d %9.0f %9.0f %8d %8.2f%n",
                rule.traits().name(), nodes, best, own, bytes, (double) accepted / BATCH);
    }
}
