package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.KernelCheck;
import dev.outrider.treeverify.WeightFormat;
import dev.outrider.treeverify.device.DeviceFailures;
import dev.outrider.treeverify.pass.PassStaging;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/// One kernel on the device beside its twin, over arrays of random numbers. Confined to one thread.
final class KernelTrial {
    private static final String GRAPH = "check";
    private static final String TASK = "kernel";

    private final String name;
    private final TornadoDevice device;
    private final SplittableRandom random;
    private final KernelContext context = new KernelContext();
    private final List<Object> inputs = new ArrayList<>();

    /// Arrays the kernel writes, with what its twin made of the same numbers.
    private final Map<FloatArray, float[]> results = new LinkedHashMap<>();

    KernelTrial(String name, TornadoDevice device, SplittableRandom random) {
        this.name = name;
        this.device = device;
        this.random = random;
    }

    KernelContext context() {
        return context;
    }

    /// Random numbers of deviation `scale`.
    float[] numbers(int count, double scale) {
        var numbers = new float[count];
        for (int index = 0; index < count; index++) {
            numbers[index] = (float) (random.nextGaussian() * scale);
        }
        return numbers;
    }

    /// Random numbers for both: twins take the first, kernels the second.
    ///
    /// @param plain  changed by a twin that writes it
    /// @param device the same numbers
    record Operand(float[] plain, FloatArray device) {}

    /// Random numbers of deviation `scale` that the kernel reads.
    Operand read(int count, double scale) {
        var plain = numbers(count, scale);
        return new Operand(plain, input(plain));
    }

    /// Random numbers of deviation `scale` that the kernel writes or changes.
    Operand written(int count, double scale) {
        var plain = numbers(count, scale);
        return new Operand(plain, result(plain));
    }

    /// An array the kernel reads.
    FloatArray input(float[] numbers) {
        var array = FloatArray.fromArray(numbers);
        inputs.add(array);
        return array;
    }

    /// A matrix the kernel reads.
    ///
    /// @param numbers `[rows, size]`; replaced by what the format makes of them
    StoredMatrix matrix(WeightFormat format, float[] numbers, int rows, int size) {
        var source = MemorySegment.ofArray(numbers);
        var matrix = StoredMatrix.of(format, name, rows, size, to -> to.copyFrom(source));
        source.copyFrom(matrix.numbers());
        inputs.add(matrix.array());
        return matrix;
    }

    /// An array the kernel reads and writes.
    ///
    /// @param twin the same numbers, which the twin changes before [#check]
    FloatArray result(float[] twin) {
        var array = input(twin);
        results.put(array, twin);
        return array;
    }

    /// The pass's integers.
    IntArray pass(PassStaging staging) {
        var array = IntArray.fromArray(staging.numbers());
        inputs.add(array);
        return array;
    }

    /// The pass's masks.
    LongArray masks(PassStaging staging) {
        var array = LongArray.fromArray(staging.masks());
        inputs.add(array);
        return array;
    }

    /// Runs the kernel and compares; the twin has run already.
    ///
    /// @param groups    work groups
    /// @param tolerance largest difference that rounding explains
    /// @param task      adds the kernel to a graph under a name
    KernelCheck check(int groups, double tolerance, BiConsumer<TaskGraph, String> task) {
        try (var plan = plan(groups, task)) {
            plan.withDevice(device).execute();
        } catch (RuntimeException | Error | TornadoExecutionPlanException failure) {
            var problem = DeviceFailures.of("kernel '%s'".formatted(name), failure);
            return new KernelCheck(name, Double.MAX_VALUE, tolerance, problem.problem());
        }
        double difference = 0;
        for (var result : results.entrySet()) {
            difference =
                    Math.max(
                            difference,
                            difference(result.getKey().toHeapArray(), result.getValue()));
        }
        return new KernelCheck(name, difference, tolerance, "");
    }

    private TornadoExecutionPlan plan(int groups, BiConsumer<TaskGraph, String> task) {
        var graph = new TaskGraph(GRAPH);
        var grids = new GridScheduler(GRAPH + "." + TASK, grid(groups));
        graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, inputs.toArray());
        refill(graph, grids);
        task.accept(graph, TASK);
        graph.transferToHost(DataTransferMode.EVERY_EXECUTION, results.keySet().toArray());
        return new TornadoExecutionPlan(graph.snapshot()).withGridScheduler(grids);
    }

    /// What a kernel only writes is not copied to the device; what it leaves alone is then undefined there. A kernel of
    /// its own writes the numbers first, so that a write in a wrong place is found.
    private void refill(TaskGraph graph, GridScheduler grids) {
        int number = 0;
        for (var result : results.keySet()) {
            var numbers = FloatArray.fromArray(result.toHeapArray());
            graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, numbers);
            var name = "refill" + number++;
            int groups = Math.ceilDiv(numbers.getSize(), Projections.LANES);
            grids.addWorkerGrid(GRAPH + "." + name, grid(groups));
            graph.task(name, KernelTrial::copy, context, numbers, result, numbers.getSize());
        }
    }

    /// The kernel of a refill.
    static void copy(KernelContext context, FloatArray from, FloatArray to, int size) {
        int item = context.globalIdx;
        if (item < size) {
            to.set(item, from.get(item));
        }
    }

    private static WorkerGrid1D grid(int groups) {
        var grid = new WorkerGrid1D(groups * Projections.LANES);
        grid.setLocalWork(Projections.LANES, 1, 1);
        return grid;
    }

    /// The largest difference; infinite where a number is none.
    private static double difference(float[] actual, float[] expected) {
        double largest = 0;
        for (int index = 0; index < expected.length; index++) {
            double difference = Math.abs((double) actual[index] - expected[index]);
            largest = Math.max(largest, Double.isNaN(difference) ? Double.MAX_VALUE : difference);
        }
        return largest;
    }
}
