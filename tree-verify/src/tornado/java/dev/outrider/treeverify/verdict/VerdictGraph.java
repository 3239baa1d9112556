package dev.outrider.treeverify.verdict;

import dev.outrider.spi.Verdict;
import dev.outrider.treeverify.device.DeviceFailures;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.verdict.PlainTruncation.Kept;
import java.util.List;
import java.util.stream.IntStream;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/// The kernels of the verdict as one task graph over logits that the host sends. Confined to one thread.
///
/// The verification pass adds [#tasks] to its own graph instead, behind the head, and its logits stay on the device. This
/// graph is what the kernels are tested with.
public final class VerdictGraph implements AutoCloseable {
    /// How many kernels [#tasks] adds.
    public static final int TASKS = 5;

    /// How many arguments they take together.
    public static final int ARGUMENTS = 8 + 9 + 11 + 11 + 7;

    /// Names of this graph and of its tasks.
    private static final String GRAPH = "verdict";

    private static final String WHAT = "the verdict";
    private static final String STATISTICS = "statistics";
    private static final String TRUNCATION = "truncation";
    private static final String DRAW = "draw";
    private static final String TEST = "test";
    private static final String WALK = "walk";

    private final VerdictArrays arrays;
    private final FloatArray logits;
    private final GridScheduler grid = new GridScheduler();
    private final TornadoExecutionPlan plan;

    /// @param device     where it runs
    /// @param rows       most rows of a round
    /// @param vocabulary number of tokens V
    public VerdictGraph(Devices.Found device, int rows, int vocabulary) {
        arrays = new VerdictArrays(rows, vocabulary);
        logits = new FloatArray(Math.multiplyExact(rows, vocabulary));
        plan = DeviceFailures.guard(WHAT, () -> plan(device, arrays, logits, grid));
    }

    private static TornadoExecutionPlan plan(
            Devices.Found device, VerdictArrays arrays, FloatArray logits, GridScheduler grid) {
        var graph =
                new TaskGraph(GRAPH)
                        .transferToDevice(DataTransferMode.EVERY_EXECUTION, logits)
                        .transferToDevice(DataTransferMode.EVERY_EXECUTION, arrays.inputs())
                        .transferToDevice(DataTransferMode.FIRST_EXECUTION, arrays.resident());
        tasks(graph, GRAPH, grid, arrays, logits);
        graph.transferToHost(
                DataTransferMode.EVERY_EXECUTION,
                arrays.answer(),
                arrays.sums,
                arrays.limits,
                arrays.lasts);
        var plan = new TornadoExecutionPlan(graph.snapshot());
        return plan.withDevice(device.device());
    }

    /// Adds the kernels to a graph.
    ///
    /// @param graph  a graph to which [VerdictArrays#inputs] and [VerdictArrays#resident] were added
    /// @param name   the graph's name
    /// @param grid   where the kernels' work groups are entered
    /// @param logits shape `[rows, V]`, on the device
    public static void tasks(
            TaskGraph graph,
            String name,
            GridScheduler grid,
            VerdictArrays arrays,
            FloatArray logits) {
        var context = new KernelContext();
        int vocabulary = arrays.vocabulary();
        graph.task(
                        STATISTICS,
                        VerdictKernels::statistics,
                        context,
                        arrays.round,
                        arrays.numbers,
                        logits,
                        arrays.largest,
                        arrays.sums,
                        arrays.argmax,
                        vocabulary)
                .task(
                        TRUNCATION,
                        TruncationKernel::truncate,
                        context,
                        arrays.round,
                        arrays.numbers,
                        logits,
                        arrays.largest,
                        arrays.sums,
                        arrays.limits,
                        arrays.lasts,
                        vocabulary)
                .task(
                        DRAW,
                        VerdictKernels::draw,
                        context,
                        arrays.round,
                        arrays.numbers,
                        logits,
                        arrays.largest,
                        arrays.sums,
                        arrays.limits,
                        arrays.lasts,
                        arrays.drawn,
                        vocabulary,
                        arrays.rows())
                .task(
                        TEST,
                        VerdictKernels::test,
                        context,
                        arrays.round,
                        arrays.numbers,
                        logits,
                        arrays.largest,
                        arrays.sums,
                        arrays.limits,
                        arrays.lasts,
                        arrays.accepted,
                        vocabulary,
                        arrays.rows())
                .task(
                        WALK,
                        VerdictKernels::walk,
                        context,
                        arrays.round,
                        arrays.accepted,
                        arrays.argmax,
                        arrays.drawn,
                        arrays.answer,
                        arrays.rows());
        int rows = arrays.rows();
        grid.addWorkerGrid(name + "." + STATISTICS, groups(rows, VerdictKernels.LANES));
        grid.addWorkerGrid(name + "." + TRUNCATION, groups(rows, VerdictKernels.LANES));
        grid.addWorkerGrid(name + "." + DRAW, groups(rows, VerdictKernels.LANES));
        grid.addWorkerGrid(name + "." + TEST, groups(rows, 1));
        grid.addWorkerGrid(name + "." + WALK, groups(1, 1));
    }

    /// `groups` work groups of `items` items each.
    static WorkerGrid1D groups(int groups, int items) {
        var worker = new WorkerGrid1D(groups * items);
        worker.setLocalWork(items, 1, 1);
        return worker;
    }

    /// Decides a round.
    ///
    /// @param values logits, shape `[rows, V]` of the request
    /// @throws dev.outrider.spi.OutriderException `KERNEL_FAILED`
    public Verdict decide(VerdictRequest request, float[] values) {
        arrays.ask(request);
        VerdictArrays.put(values, logits, 0);
        DeviceFailures.guard(WHAT, () -> plan.withGridScheduler(grid).execute());
        return arrays.verdict(request);
    }

    /// What the last round's policy kept of each row.
    List<Kept> kept(VerdictRequest request) {
        return IntStream.range(0, request.rows())
                .mapToObj(
                        row ->
                                new Kept(
                                        arrays.limits.get(row),
                                        arrays.lasts.get(row),
                                        arrays.sums.get(row)))
                .toList();
    }

    @Override
    public void close() {
        DeviceFailures.guard(
                WHAT,
                () -> {
                    plan.close();
                    return true;
                });
    }
}
