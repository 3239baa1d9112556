package dev.outrider.treeverify.bench;

import dev.outrider.common.Ticker;
import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.Weight;
import dev.outrider.treeverify.bench.DeviceBenchReport.Line;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.model.TornadoTargets;
import dev.outrider.treeverify.pass.DeviceNetwork;
import dev.outrider.treeverify.pass.ProgramMemory;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// Times passes of the target's own program over random weights. Thread-safe.
public final class TornadoDeviceBench implements DeviceBench {
    private static final int WARM_UP_PASSES = 3;
    private static final double GAIN = 0.8;

    @Override
    public DeviceBenchReport run(
            DeviceBenchRequest request, Progress progress, Ticker ticker) {
        var device = Devices.at(request.device());
        // Named shapes stop at their models' positions; what a pass costs does not depend on them.
        var shape =
                new ProgramShape(
                        request.shape().stretchedTo(request.cacheRows()),
                        Math.ceilDiv(request.mostRows(), 4) * 4,
                        ProgramShape.USUAL_MASK_WORDS,
                        request.cacheRows(),
                        ProgramShape.USUAL_MOVES,
                        request.format());
        ProgramMemory.of(shape).requireOn(device.info());
        progress.at("copying memory");
        double bandwidth = CopyBandwidth.measure(device, ticker);
        progress.at("making weights and compiling kernels");
        var weights = new WeightLoader(shape, new RandomWeights(request.shape(), 1, GAIN));
        try (var network = TornadoTargets.network(shape, weights, device, request.graphs());
                var cache = network.newCache(request.cacheRows())) {
            var lines = new ArrayList<Line>();
            for (int context : request.contexts()) {
                progress.at("filling the cache up to " + context);
                fill(network, cache, context, request);
                for (int rows : request.rows()) {
                    progress.at("context %d, %d rows".formatted(context, rows));
                    lines.add(line(network, cache, rows, request, ticker));
                }
            }
            return new DeviceBenchReport(
                    request,
                    device.info(),
                    Weight.parameters(request.shape()),
                    bandwidth,
                    lines);
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
        // In passes of their own, because asking the driver for every kernel's time takes time.
        var clock = network.kernelClock().orElseThrow();
        clock.measure(true);
        var kernels = new double[request.passes()];
        for (int pass = 0; pass < kernels.length; pass++) {
            pass(network, cache, tokens);
            kernels[pass] = clock.nanos() / 1e9;
        }
        clock.measure(false);
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

    /// The cache is of 32-bit numbers, whatever the matrices are.
    private static long bytes(DeviceBenchRequest request, int context, int rows) {
        long inFloats =
                ModelBench.bytesPerPass(request.shape(), Float.SIZE, Float.BYTES, (long) context + rows);
        long cached =
                inFloats - ModelBench.bytesPerPass(request.shape(), Float.SIZE, Float.BYTES, 0);
        return (inFloats - cached) / Float.BYTES * request.format().bytes() + cached;
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
}
