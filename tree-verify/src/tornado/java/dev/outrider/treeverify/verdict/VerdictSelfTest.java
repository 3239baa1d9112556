package dev.outrider.treeverify.verdict;

import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.Verdict;
import dev.outrider.treeverify.DeviceSelfTest;
import dev.outrider.treeverify.KernelCheck;
import dev.outrider.treeverify.device.DeviceFailures;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.verdict.PlainTruncation.Kept;
import dev.outrider.treeverify.verdict.PlainVerdicts.Statistics;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/// The kernels of the verdict on small random input. Thread-safe.
public final class VerdictSelfTest implements DeviceSelfTest {
    private static final int ROWS = 6;
    private static final int VOCABULARY = 500;

    /// Each truncation alone, all together, and a top-k that is searched far down. No cut is so near a token that the rounding
    /// of a driver's exponentials would move it.
    private static final List<Truncation> TRUNCATIONS =
            List.of(
                    new Truncation(20, 1, Truncation.EVERYWHERE),
                    new Truncation(0, 0.9f, Truncation.EVERYWHERE),
                    new Truncation(0, 1, 2.5f),
                    new Truncation(40, 0.93f, 4),
                    new Truncation(VOCABULARY - 1, 1, Truncation.EVERYWHERE));

    private static final double ROUNDING = 1e-5;

    @Override
    public List<KernelCheck> run(int device) {
        var found = Devices.at(device);
        float[] logits = logits();
        return List.of(
                check("softmax statistics", ROUNDING, () -> statistics(found, logits)),
                check("truncation", ROUNDING, () -> truncation(found, logits)),
                check(
                        "verdict greedy",
                        0,
                        () -> verdict(found, request(DeviceRule.GREEDY), logits)),
                check(
                        "verdict one-hot",
                        0,
                        () -> verdict(found, request(DeviceRule.ONE_HOT), logits)),
                check(
                        "verdict one-hot, truncated",
                        0,
                        () ->
                                verdict(
                                        found,
                                        request(DeviceRule.ONE_HOT, TRUNCATIONS.get(1)),
                                        logits)),
                check(
                        "verdict chain",
                        0,
                        () -> verdict(found, request(DeviceRule.CHAIN_ONE_HOT), logits)),
                check(
                        "verdict sampled chain",
                        0,
                        () -> verdict(found, request(DeviceRule.CHAIN_SAMPLED), logits)));
    }

    private static KernelCheck check(String kernel, double tolerance, Callable<Double> difference) {
        return KernelCheck.of(
                kernel, tolerance, () -> DeviceFailures.guard("the kernel", difference));
    }

    /// Relative difference of the sums; infinite if a largest logit or an argmax differs.
    private static Double statistics(Devices.Found device, float[] values)
            throws TornadoExecutionPlanException {
        var arrays = new VerdictArrays(ROWS, VOCABULARY);
        arrays.ask(request(DeviceRule.ONE_HOT));
        var logits = new FloatArray(ROWS * VOCABULARY);
        VerdictArrays.put(values, logits, 0);
        var graph =
                new TaskGraph("test")
                        .transferToDevice(DataTransferMode.EVERY_EXECUTION, logits)
                        .transferToDevice(
                                DataTransferMode.EVERY_EXECUTION, arrays.round, arrays.numbers)
                        .task(
                                "kernel",
                                VerdictKernels::statistics,
                                new KernelContext(),
                                arrays.round,
                                arrays.numbers,
                                logits,
                                arrays.largest,
                                arrays.sums,
                                arrays.argmax,
                                VOCABULARY)
                        .transferToHost(
                                DataTransferMode.EVERY_EXECUTION,
                                arrays.largest,
                                arrays.sums,
                                arrays.argmax);
        execute(device, graph);
        double worst = 0;
        for (int row = 0; row < ROWS; row++) {
            Statistics twin =
                    PlainVerdicts.statistics(values, row, VOCABULARY, arrays.numbers.get(VerdictLayout.SCALE));
            boolean same =
                    arrays.argmax.get(row) == twin.argmax()
                            && arrays.largest.get(row) == twin.largest();
            double difference = Math.abs(arrays.sums.get(row) - twin.sum()) / twin.sum();
            worst = Math.max(worst, same ? difference : Double.POSITIVE_INFINITY);
        }
        return worst;
    }

    /// Largest relative difference of the sums of what is kept; infinite if something else is kept.
    private static Double truncation(Devices.Found device, float[] logits) {
        double worst = 0;
        try (var graph = new VerdictGraph(device, ROWS, VOCABULARY)) {
            for (var truncation : TRUNCATIONS) {
                var request = request(DeviceRule.ONE_HOT, truncation);
                graph.decide(request, logits);
                var kept = graph.kept(request);
                for (int row = 0; row < ROWS; row++) {
                    var statistics =
                            PlainVerdicts.statistics(
                                    logits, row, VOCABULARY, request.inverseTemperature());
                    var twin = PlainTruncation.of(request, logits, row, statistics);
                    worst = Math.max(worst, difference(kept.get(row), twin));
                }
            }
        }
        return worst;
    }

    private static double difference(Kept kept, Kept twin) {
        boolean same = kept.limit() == twin.limit() && kept.last() == twin.last();
        return same ? Math.abs(kept.sum() - twin.sum()) / twin.sum() : Double.POSITIVE_INFINITY;
    }

    /// 0 if device and twin agree.
    private static Double verdict(Devices.Found device, VerdictRequest request, float[] logits) {
        try (var graph =
                new VerdictGraph(device, ROWS, VOCABULARY)) {
            Verdict verdict = graph.decide(request, logits);
            return verdict.equals(PlainVerdicts.decide(request, logits)) ? 0.0 : 1.0;
        }
    }

    private static void execute(Devices.Found device, TaskGraph graph)
            throws TornadoExecutionPlanException {
        var grid = new GridScheduler();
        grid.addWorkerGrid("test.kernel", VerdictGraph.groups(ROWS, VerdictKernels.LANES));
        try (var plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.withDevice(device.device()).withGridScheduler(grid).execute();
        }
    }

    /// A chain of likely tokens, with a q that is flat.
    private static VerdictRequest request(DeviceRule rule) {
        return request(rule, Truncation.NONE);
    }

    private static VerdictRequest request(DeviceRule rule, Truncation truncation) {
        var random = new SplittableRandom(7);
        float[] logits = logits();
        var tokens = new int[ROWS];
        var parents = new int[ROWS];
        var candidate = new int[ROWS];
        var removed = new int[ROWS];
        var accept = new float[ROWS];
        var draw = new float[ROWS];
        for (int node = 0; node < ROWS; node++) {
            parents[node] = node - 1;
            candidate[node] = node == 0 ? 0 : 1;
            tokens[node] =
                    node == 0
                            ? 0
                            : PlainVerdicts.statistics(logits, node - 1, VOCABULARY, 1).argmax();
            removed[node] = VerdictRequest.NONE;
            accept[node] = (float) random.nextInt(1 << 24) / (1 << 24);
            draw[node] = (float) random.nextInt(1 << 24) / (1 << 24);
        }
        if (rule == DeviceRule.CHAIN_ONE_HOT) {
            System.arraycopy(tokens, 1, removed, 0, ROWS - 1);
        }
        boolean sampled = rule == DeviceRule.CHAIN_SAMPLED;
        var drafted = new float[ROWS];
        Arrays.fill(drafted, sampled ? 1f / VOCABULARY : 1);
        return new VerdictRequest(
                rule,
                VOCABULARY,
                1.25f,
                truncation,
                tokens,
                parents,
                candidate,
                removed,
                accept,
                draw,
                new float[ROWS],
                drafted,
                sampled
                        ? SparseLaws.of(flatLaws(), ROWS, VOCABULARY).orElseThrow()
                        : SparseLaws.none(ROWS));
    }

    private static DraftLaws flatLaws() {
        var laws = DraftLaws.builder();
        for (int node = 0; node + 1 < ROWS; node++) {
            var law = new double[VOCABULARY];
            Arrays.fill(law, 1.0 / VOCABULARY);
            laws.put(node, law);
        }
        return laws.build();
    }

    private static float[] logits() {
        var random = new SplittableRandom(3);
        var logits = new float[ROWS * VOCABULARY];
        for (int index = 0; index < logits.length; index++) {
            logits[index] = (float) random.nextGaussian() * 3;
        }
        return logits;
    }
}
