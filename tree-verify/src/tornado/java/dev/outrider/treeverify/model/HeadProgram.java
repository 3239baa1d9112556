package dev.outrider.treeverify.model;

import dev.outrider.common.Undo;
import dev.outrider.nn.network.BlockForm.Activation;
import dev.outrider.nn.network.HeadPart;
import dev.outrider.nn.network.LinearWeights;
import dev.outrider.treeverify.TornadoTargetConfig;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.device.Devices.DeviceFailures;
import dev.outrider.treeverify.kernels.FeatureKernels;
import dev.outrider.treeverify.kernels.LayerOffsets;
import dev.outrider.treeverify.kernels.Projections;
import dev.outrider.treeverify.kernels.StoredMatrix;
import dev.outrider.treeverify.pass.HeadMatrix;
import dev.outrider.treeverify.pass.PassStaging.PassLayout;
import dev.outrider.treeverify.pass.ProgramMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// A head, or a part of one, on a TornadoVM device: one graph with a kernel or two for each matrix.
final class HeadProgram implements HeadPart {
    /// Maximum blocks, so that a graph's description fits; see [dev.outrider.treeverify.pass.GraphParts].
    static final int MAX_BLOCKS = 32;

    private static final int ROWS = TornadoTargetConfig.LAYER_ROWS;
    private static final String WHAT = "a head";

    private final ReentrantLock lock = new ReentrantLock();
    private final GraphTasks tasks = new GraphTasks();
    private final WeightFormat format;

    /// The number of rows, at [PassLayout#ROWS].
    private final IntArray pass = IntArray.fromElements(0);

    /// For [LayerOffsets#START]; biases are at the start of their arrays.
    private final IntArray offsets = IntArray.fromArray(new int[LayerOffsets.START + 1]);

    private final FloatArray inputs;
    private final FloatArray results;

    /// Results of blocks, and what the next one adds to them.
    private final FloatArray states;

    private final FloatArray added;
    private final TornadoExecutionPlan plan;
    private boolean closed;

    /// @param bias zeros if there is none
    private record Loaded(StoredMatrix matrix, FloatArray bias) {}

    /// Loads the weights, and runs an empty pass.
    ///
    /// @param replayed whether the graph is recorded as a CUDA graph and replayed
    /// @throws dev.outrider.spi.error.OutriderException `KERNEL_FAILED` or `OUT_OF_MEMORY`
    HeadProgram(Weights weights, WeightFormat format, TornadoDevice device, boolean replayed) {
        this.format = format;
        int size = weights.blocks().isEmpty() ? 1 : weights.blocks().getFirst().rows();
        inputs = DeviceArrays.zeros(ROWS * weights.matrices().getFirst().columns());
        states = DeviceArrays.zeros(ROWS * size);
        added = DeviceArrays.zeros(ROWS * size);
        results =
                weights.projection()
                        .map(each -> DeviceArrays.zeros(ROWS * each.rows()))
                        .orElse(states);
        plan = TornadoProgram.plan(() -> List.of(build(weights)), tasks.grids, device);
        if (replayed) {
            plan.withCUDAGraph();
        }
        Undo.onFailure(this::close, () -> DeviceFailures.guard(WHAT, plan::execute));
    }

    /// Returns the memory that a program needs.
    static ProgramMemory memory(Weights weights, WeightFormat format) {
        var memory = new ProgramMemory();
        for (var each : weights.matrices()) {
            long rows = (ROWS + 1L) * (each.rows() + each.columns());
            memory.add(new HeadMatrix(each, format).onDevice());
            memory.add("rows of a head", rows, Float.BYTES);
        }
        return memory;
    }

    private ImmutableTaskGraph build(Weights weights) {
        tasks.graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, pass, inputs);
        once(states, added, offsets);
        var from = inputs;
        int block = 0;
        for (var each : weights.blocks()) {
            var gate = load(each);
            int size = each.rows();
            tasks.graph.task(
                    tasks.outputs("block" + block, size), Projections::up, tasks.context, pass,
                    gate.matrix().floats(inputs), gate.matrix().packed(pass), gate.matrix().form(),
                    gate.bias(), LayerOffsets.START, from, LayerOffsets.START, added, offsets,
                    each.columns(), size, Activation.SILU.ordinal(), 0f, 0f, 0, ROWS, -1f);
            if (block == 0 && weights.residual().isPresent()) {
                project("sum", weights.residual().get(), from, LayerOffsets.START, states);
            } else {
                tasks.graph.task(
                        tasks.items("sum" + block, ROWS * size), FeatureKernels::addRows,
                        tasks.context, pass, from, added, states, size);
            }
            from = states;
            block++;
        }
        if (weights.projection().isPresent()) {
            once(results);
            project("projection", weights.projection().get(), from, LayerOffsets.NONE, results);
        }
        tasks.graph.transferToHost(DataTransferMode.UNDER_DEMAND, results);
        return tasks.graph.snapshot();
    }

    /// Adds the task of a product.
    ///
    /// @param addedIndex [LayerOffsets#NONE] if [#added] is not added
    private void project(
            String task, LinearWeights weights, FloatArray from, int addedIndex, FloatArray to) {
        var linear = load(weights);
        tasks.graph.task(
                tasks.outputs(task, weights.rows()), Projections::residual, tasks.context, pass,
                linear.matrix().floats(inputs), linear.matrix().packed(pass),
                linear.matrix().form(), linear.bias(), LayerOffsets.START, from, added,
                addedIndex, to, LayerOffsets.START, inputs, LayerOffsets.NONE, added, offsets,
                weights.columns(), weights.rows(), 1f, 0);
    }

    private Loaded load(LinearWeights weights) {
        var source = new HeadMatrix(weights, format);
        var matrix = StoredMatrix.of(source.onDevice(), source::write);
        float[] bias = weights.bias().orElseGet(() -> new float[weights.rows()]);
        var loaded = new Loaded(matrix, FloatArray.fromArray(bias));
        once(loaded.matrix().array(), loaded.bias());
        return loaded;
    }

    private void once(Object... arrays) {
        tasks.graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, arrays);
    }

    @Override
    public void apply(float[] x, int rows, float[] y) {
        int width = inputs.getSize() / ROWS;
        int outputs = results.getSize() / ROWS;
        lock.lock();
        try {
            for (int row = 0; row < rows; row += ROWS) {
                int part = Math.min(ROWS, rows - row);
                MemorySegment.copy(
                        x, row * width, inputs.getSegment(), ValueLayout.JAVA_FLOAT, 0,
                        part * width);
                pass.set(PassLayout.ROWS, part);
                TornadoProgram.read(
                        DeviceFailures.guard(WHAT, plan::execute), results, 0, part * outputs,
                        MemorySegment.ofArray(y).asSlice((long) row * outputs * Float.BYTES));
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                plan.freeDeviceMemory();
            }
        } finally {
            lock.unlock();
        }
    }
}
