package dev.outrider.treeverify.model;

import dev.outrider.common.Undo;
import dev.outrider.treeverify.device.Devices.DeviceFailures;
import dev.outrider.treeverify.pass.DeviceProgram;
import dev.outrider.treeverify.pass.GraphParts;
import dev.outrider.treeverify.pass.PassStaging;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightLoader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Supplier;
import uk.ac.manchester.tornado.api.DataRange;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.TornadoExecutionResult;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.ProfilerMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoInternalError;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/// A decoder's program on a TornadoVM device: one graph, or several that are executed in order, once per run.
final class TornadoProgram implements DeviceProgram {
    private final ProgramShape shape;
    private final DeviceArrays arrays;
    private final TornadoExecutionPlan plan;
    private final int graphs;
    private TornadoExecutionResult last;
    private boolean closed;
    private boolean measuring;
    private long kernelNanos;

    /// Loads the weights, and runs an empty pass, which compiles every kernel and copies the arrays to the device.
    ///
    /// @throws dev.outrider.spi.error.OutriderException `KERNEL_FAILED` or `OUT_OF_MEMORY`
    TornadoProgram(ProgramShape shape, WeightLoader weights, TornadoDevice device) {
        this(shape, weights, device, GraphParts.NO_LIMIT, false);
    }

    /// @param mostLayers maximum layers of a graph
    /// @param replayed   whether graphs are recorded as CUDA graphs and replayed
    TornadoProgram(
            ProgramShape shape,
            WeightLoader weights,
            TornadoDevice device,
            int mostLayers,
            boolean replayed) {
        this.shape = shape;
        arrays = new DeviceArrays(shape, weights);
        graphs = GraphParts.of(shape, mostLayers).size();
        var pass = new PassGraph(shape, arrays);
        plan = plan(() -> pass.build(mostLayers), pass.grids(), device);
        if (replayed) {
            plan.withCUDAGraph();
        }
        last = Undo.onFailure(this::close, this::execute);
    }

    @Override
    public void run(PassStaging staging) {
        MemorySegment.copy(
                staging.numbers(),
                0,
                arrays.pass.getSegment(),
                ValueLayout.JAVA_INT,
                0,
                staging.numbers().length);
        MemorySegment.copy(
                staging.masks(),
                0,
                arrays.masks.getSegment(),
                ValueLayout.JAVA_LONG,
                0,
                staging.masks().length);
        arrays.fusion.ifPresent(fusion -> fusion.take(staging));
        last = execute();
    }

    @Override
    public void readLogits(int first, int rows, MemorySegment to) {
        int width = shape.logits();
        read(last, arrays.logits, first * width, rows * width, to);
    }

    @Override
    public void readStream(int layer, int rows, MemorySegment to) {
        int hidden = shape.config().hiddenSize();
        read(last, arrays.stream, layer * shape.maxRows() * hidden, rows * hidden, to);
    }

    @Override
    public void readNormed(int rows, MemorySegment to) {
        read(last, arrays.normed, 0, rows * shape.config().hiddenSize(), to);
    }

    @Override
    public MemorySegment embedding() {
        return arrays.embedding.numbers();
    }

    @Override
    public MemorySegment head() {
        return arrays.head.numbers();
    }

    @Override
    public void measureKernels(boolean on) {
        if (on) {
            plan.withProfiler(ProfilerMode.SILENT);
        } else {
            plan.withoutProfiler();
        }
        measuring = on;
    }

    @Override
    public long kernelNanos() {
        return kernelNanos;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            plan.withAllGraphs();
            if (graphs == 1) {
                plan.freeDeviceMemory();
            }
            for (int graph = 0; graph < graphs && graphs > 1; graph++) {
                free(graph);
            }
        }
    }

    // The first graph frees the shared arrays, and each graph frees its own. The other graphs then
    // fail, because TornadoVM 5.2.0 does not expect that the shared arrays are already freed.
    private void free(int graph) {
        try {
            plan.withGraph(graph).freeDeviceMemory();
        } catch (TornadoInternalError givenBack) {
            if (graph == 0) {
                throw givenBack;
            }
        }
    }

    // TornadoVM reads kernels when the graph is built, and compiles them at its first run.
    static TornadoExecutionPlan plan(
            Supplier<List<ImmutableTaskGraph>> graphs, GridScheduler grids, TornadoDevice device) {
        try {
            return new TornadoExecutionPlan(graphs.get().toArray(ImmutableTaskGraph[]::new))
                    .withGridScheduler(grids)
                    .withDevice(device);
        } catch (RuntimeException | Error failure) {
            throw DeviceFailures.of("the verification pass", failure);
        }
    }

    // If a kernel does not compile, the compiler throws an exception or an Error.
    private TornadoExecutionResult execute() {
        kernelNanos = 0;
        try {
            for (int graph = 0; graph < graphs - 1; graph++) {
                count(plan.withGraph(graph).execute());
            }
            return count(graphs == 1 ? plan.execute() : plan.withGraph(graphs - 1).execute());
        } catch (RuntimeException | Error failure) {
            throw DeviceFailures.of("the verification pass", failure);
        }
    }

    // The profiler starts again with the next graph, and with the copying of results to the host.
    private TornadoExecutionResult count(TornadoExecutionResult result) {
        kernelNanos += measuring ? result.getProfilerResult().getDeviceKernelTime() : 0;
        return result;
    }

    /// Copies numbers of an array from the device.
    static void read(
            TornadoExecutionResult last, FloatArray array, int first, int count, MemorySegment to) {
        last.transferToHost(new DataRange(array).withOffset(first).withSize(count));
        MemorySegment.copy(
                array.getSegment(), (long) first * Float.BYTES, to, 0, (long) count * Float.BYTES);
    }
}
