package dev.outrider.treeverify.verdict;

import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.Support;
import dev.outrider.spi.TokenHistory;
import dev.outrider.treeverify.device.Devices;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/// What the verdict's kernels take on device 0 under each truncation, logits copied there included, beside what the same laws
/// cost the host. Not a test; run its main method. On a processor it says nothing about GPUs.
final class VerdictCost {
    private static final int WARM_UP = 10;
    private static final int ROUNDS = 41;

    private VerdictCost() {}

    public static void main(String[] arguments) {
        System.out.printf(
                "%7s %-20s %9s %9s %9s%n", "V", "policy", "first ms", "device us", "host us");
        for (int vocabulary : new int[] {32_000, 131_072}) {
            float[] logits = TruncationContract.falling(vocabulary, new Random(1));
            for (var policy : policies().entrySet()) {
                measure(vocabulary, logits, policy.getKey(), policy.getValue());
            }
        }
    }

    private static Map<String, SamplingPolicy> policies() {
        var policies = new LinkedHashMap<String, SamplingPolicy>();
        policies.put("temperature", SamplingPolicy.atTemperature(1));
        policies.put("top-k 50", new SamplingPolicy(1, 50, 1, 0, 1));
        policies.put("top-p .9", new SamplingPolicy(1, 0, 0.9, 0, 1));
        policies.put("top-p .999", new SamplingPolicy(1, 0, 0.999, 0, 1));
        policies.put("min-p .05", new SamplingPolicy(1, 0, 1, 0.05, 1));
        policies.put("top-k 50, top-p .9", new SamplingPolicy(1, 50, 0.9, 0, 1));
        return policies;
    }

    private static void measure(
            int vocabulary, float[] logits, String name, SamplingPolicy policy) {
        int rows = logits.length / vocabulary;
        var request = TruncationContract.request(rows, vocabulary, policy);
        try (var graph = new VerdictGraph(Devices.at(0), rows, vocabulary)) {
            long start = System.nanoTime();
            graph.decide(request, logits);
            double first = (System.nanoTime() - start) / 1e6;
            System.out.printf(
                    "%7d %-20s %9.0f %9.0f %9.0f%n",
                    vocabulary,
                    name,
                    first,
                    best(() -> graph.decide(request, logits)),
                    host(policy, vocabulary, logits));
        }
    }

    private static double host(SamplingPolicy policy, int vocabulary, float[] logits) {
        try (var arena = Arena.ofConfined()) {
            var memory = arena.allocateFrom(ValueLayout.JAVA_FLOAT, logits);
            var law = new double[vocabulary];
            var support = new Support();
            return best(() -> laws(policy, memory, law, support));
        }
    }

    private static void laws(
            SamplingPolicy policy, MemorySegment logits, double[] law, Support support) {
        long rowBytes = (long) law.length * Float.BYTES;
        for (long row = 0; row < logits.byteSize(); row += rowBytes) {
            policy.law(logits.asSlice(row, rowBytes), TokenHistory.empty(), law, support);
        }
    }

    /// The best time of many, in microseconds.
    private static double best(Runnable round) {
        double best = Double.POSITIVE_INFINITY;
        for (int number = 0; number < WARM_UP + ROUNDS; number++) {
            long start = System.nanoTime();
            round.run();
            best = Math.min(best, (System.nanoTime() - start) / 1e3);
        }
        return best;
    }
}
