package dev.outrider.treeverify.bench;

import dev.outrider.common.Ticker;
import dev.outrider.treeverify.device.DeviceFailures;
import dev.outrider.treeverify.device.Devices;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/// How fast a device moves memory: the time of copies between two arrays that no cache holds.
final class CopyBandwidth {
    /// A quarter of a gigabyte; a processor's caches are smaller than a GPU's copies are fast.
    private static final int FLOATS = 1 << 26;

    private static final int COPIES = 8;
    private static final int TURNS = 5;
    private static final int GROUP = 256;

    private CopyBandwidth() {}

    /// The best of a few readings, in bytes per second, read and written.
    static double measure(Devices.Found device, Ticker ticker) {
        return DeviceFailures.guard("copying memory", () -> run(device, ticker));
    }

    private static double run(Devices.Found device, Ticker ticker)
            throws TornadoExecutionPlanException {
        int floats = device.info().type().equals("CPU") ? FLOATS / 4 : FLOATS;
        var from = new FloatArray(floats);
        var to = new FloatArray(floats);
        from.init(1);
        var context = new KernelContext();
        var grid = new GridScheduler();
        var graph = new TaskGraph("copies");
        graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, from, to);
        for (int copy = 0; copy < COPIES; copy++) {
            var worker = new WorkerGrid1D(floats);
            worker.setLocalWork(GROUP, 1, 1);
            grid.addWorkerGrid("copies.copy" + copy, worker);
            graph.task("copy" + copy, CopyBandwidth::copyFloats, context, from, to);
        }
        graph.transferToHost(DataTransferMode.UNDER_DEMAND, to);
        try (var plan = new TornadoExecutionPlan(graph.snapshot())) {
            var ready = plan.withDevice(device.device()).withGridScheduler(grid);
            ready.execute();
            double best = 0;
            for (int turn = 0; turn < TURNS; turn++) {
                long start = ticker.nanos();
                ready.execute();
                double seconds = (ticker.nanos() - start) / 1e9;
                best = Math.max(best, 2.0 * COPIES * Float.BYTES * floats / seconds);
            }
            return best;
        }
    }

    static void copyFloats(KernelContext context, FloatArray from, FloatArray to) {
        to.set(context.globalIdx, from.get(context.globalIdx));
    }
}
