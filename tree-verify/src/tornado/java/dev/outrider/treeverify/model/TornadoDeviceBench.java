package dev.outrider.treeverify.model;

import dev.outrider.common.Ticker;
import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.Weight;
import dev.outrider.treeverify.DeviceBenchReport;
import dev.outrider.treeverify.DeviceBenchReport.DeviceBenchRequest;
import dev.outrider.treeverify.DeviceBenchReport.Line;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.Devices.DeviceFailures;
import dev.outrider.treeverify.pass.DeviceNetwork;
import dev.outrider.treeverify.pass.ProgramMemory;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.QuantizedLayout;
import dev.outrider.treeverify.pass.WeightForms;
import dev.outrider.treeverify.pass.WeightLoader;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// Times passes of the target's own program over random weights. Thread-safe.
final class TornadoDeviceBench {
    private static final int WARM_UP_PASSES = 3;
    private static final double GAIN = 0.8;

    /// The length of a row that needs no padding in any format.
    private static final int ROW = 1024;

    private TornadoDeviceBench() {}

    static DeviceBenchReport run(
            DeviceBenchRequest request, Consumer<String> progress, Ticker ticker) {
        var device = Devices.at(request.device());
        var shape = ProgramShape.of(request);
        ProgramMemory.of(shape).requireOn(device.info());
        progress.accept("copying memory");
        double bandwidth = CopyBandwidth.measure(device, ticker);
        progress.accept("making weights and compiling kernels");
        var weights = new WeightLoader(shape, new RandomWeights(request.shape(), 1, GAIN));
        try (var network = TornadoCode.network(shape, weights, device, request.graphs());
                var cache = network.newCache(request.cacheRows())) {
            var lines = new ArrayList<Line>();
            for (int context : request.contexts()) {
                progress.accept("filling the cache up to " + context);
                fill(network, cache, context, request);
                for (int rows : request.rows()) {
                    progress.accept("context %d, %d rows".formatted(context, rows));
                    lines.add(line(network, cache, rows, request, ticker));
                }
            }
            return new DeviceBenchReport(
                    request, device.info(), Weight.parameters(request.shape()), bandwidth, lines);
        }
    }

    private static Line line(
            DeviceNetwork network,
            KvCache cache,
            int rows,
            DeviceBenchRequest request,
            Ticker ticker) {
        int[] tokens = tokens(rows, request);
        for (int pass = 0; pass < WARM_UP_PASSES; pass++) {
            pass(network, cache, tokens);
        }
        var wall = new double[request.passes()];
        for (int pass = 0; pass < wall.length; pass++) {
            long start = ticker.nanos();
            pass(network, cache, tokens);
            wall[pass] = (ticker.nanos() - start) / 1e9;
        }
        // Separate passes, because the measurement of every kernel takes time.
        network.measureKernels(true);
        var kernels = new double[request.passes()];
        for (int pass = 0; pass < kernels.length; pass++) {
            pass(network, cache, tokens);
            kernels[pass] = network.kernelNanos() / 1e9;
        }
        network.measureKernels(false);
        Arrays.sort(wall);
        Arrays.sort(kernels);
        return new Line(
                cache.length(),
                rows,
                wall[0],
                wall[wall.length / 2],
                kernels[kernels.length / 2],
                bytes(request, cache.length(), rows));
    }

    /// Returns the minimum bytes of a pass. The cache has 32-bit numbers for all formats of matrices.
    private static long bytes(DeviceBenchRequest request, int context, int rows) {
        long inFloats =
                ModelBench.bytesPerPass(
                        request.shape(), Float.SIZE, Float.BYTES, (long) context + rows);
        long cached =
                inFloats - ModelBench.bytesPerPass(request.shape(), Float.SIZE, Float.BYTES, 0);
        int form =
                WeightForms.of(request.format(), true).of(Weight.EMBEDDING, 0);
        return (inFloats - cached) * QuantizedLayout.words(form, ROW) / ROW + cached;
    }

    private static void pass(DeviceNetwork network, KvCache cache, int[] tokens) {
        network.forward(List.of(RowBlock.continuing(cache, tokens)), PassOutputs.allLogits())
                .close();
        cache.dropScratch();
    }

    private static void fill(
            DeviceNetwork network, KvCache cache, int context, DeviceBenchRequest request) {
        var nothing = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of());
        while (cache.length() < context) {
            int count = Math.min(request.mostRows(), context - cache.length());
            network.forward(List.of(RowBlock.continuing(cache, tokens(count, request))), nothing)
                    .close();
            cache.keep(IntStream.range(0, count).boxed().toList());
        }
    }

    private static int[] tokens(int count, DeviceBenchRequest request) {
        return IntStream.range(0, count)
                .map(index -> (index * 131 + 7) % request.shape().vocabularySize())
                .toArray();
    }

    /// Measures the bandwidth of a device's memory with copies between two arrays that are larger than any cache.
    static final class CopyBandwidth {
        /// Length of an array of a quarter of a gigabyte: larger than any cache, and quickly copied by a GPU.
        private static final int FLOATS = 1 << 26;

        private static final int COPIES = 8;
        private static final int TURNS = 5;
        private static final int GROUP = 256;

        private CopyBandwidth() {}

        /// Returns the best of a few measurements, in bytes per second, read and written.
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
}
