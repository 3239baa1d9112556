package dev.outrider.treeverify.kernels;

import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RopeTable;
import dev.outrider.treeverify.DeviceCode.KernelCheck;
import dev.outrider.treeverify.device.Devices.DeviceFailures;
import dev.outrider.treeverify.pass.PassStaging;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.ProgramShape.DeviceMatrix;
import dev.outrider.treeverify.pass.QuantizedLayout;
import dev.outrider.treeverify.pass.RandomBlocks;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
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

/// Compares one kernel on the device with its reference implementation, on arrays of random numbers. Confined to one thread.
final class KernelTrial {
    private static final String GRAPH = "check";
    private static final String TASK = "kernel";

    private final String name;
    private final TornadoDevice device;
    private final SplittableRandom random;
    private final KernelContext context = new KernelContext();
    private final List<Object> inputs = new ArrayList<>();

    /// Arrays that the kernel writes, each with the reference implementation's result.
    private final Map<FloatArray, Supplier<float[]>> results = new LinkedHashMap<>();

    /// Arrays of integers that the kernel writes, each with the expected ones; negative ones are not compared.
    private final Map<IntArray, int[]> integers = new LinkedHashMap<>();

    KernelTrial(String name, TornadoDevice device, SplittableRandom random) {
        this.name = name;
        this.device = device;
        this.random = random;
    }

    KernelContext context() {
        return context;
    }

    /// Returns random numbers with the standard deviation `scale`.
    float[] numbers(int count, double scale) {
        var numbers = new float[count];
        for (int index = 0; index < count; index++) {
            numbers[index] = (float) (random.nextGaussian() * scale);
        }
        return numbers;
    }

    /// Random numbers for the reference implementation and the kernel.
    ///
    /// @param plain  the numbers for the reference implementation, which may change them
    /// @param device the same numbers for the kernel
    record Operand(float[] plain, FloatArray device) {}

    /// Returns random numbers with the standard deviation `scale` that the kernel reads.
    Operand read(int count, double scale) {
        var plain = numbers(count, scale);
        return new Operand(plain, input(plain));
    }

    /// Returns random numbers with the standard deviation `scale` that the kernel writes or changes.
    Operand written(int count, double scale) {
        var plain = numbers(count, scale);
        return new Operand(plain, result(plain));
    }

    /// Returns an array that the kernel reads.
    FloatArray input(float[] numbers) {
        var array = FloatArray.fromArray(numbers);
        inputs.add(array);
        return array;
    }

    /// Returns a matrix that the kernel reads.
    ///
    /// @param form    a form of [QuantizedLayout]
    /// @param numbers `[rows, size]`; replaced by the matrix's numbers, which are rounded, or random blocks for 5 and 6 bits
    StoredMatrix matrix(int form, float[] numbers, int rows, int size) {
        var source = MemorySegment.ofArray(numbers);
        var matrix =
                StoredMatrix.of(
                        new DeviceMatrix(name, form, rows, size),
                        to -> {
                            if (QuantizedLayout.bits(form) < 16) {
                                pack(form, source, rows, size, to);
                            } else {
                                to.copyFrom(source);
                            }
                        });
        source.copyFrom(matrix.numbers());
        inputs.add(matrix.array());
        return matrix;
    }

    /// Rounds numbers if the form is one of rounding; otherwise draws random blocks of the format with the form.
    private void pack(int form, MemorySegment numbers, int rows, int size, MemorySegment to) {
        boolean floats = QuantizedLayout.floats(form);
        var type =
                Arrays.stream(GgufType.values())
                        .filter(each -> floats || QuantizedLayout.form(each).orElse(0) == form)
                        .filter(each -> each.group() > 1)
                        .findFirst()
                        .orElseThrow();
        var levels =
                Levels.ofBits(floats ? 4 : QuantizedLayout.bits(form))
                        .filter(_ -> type == GgufType.Q8_0 || type == GgufType.Q4_0);
        QuantizedLayout.Blocks drawn =
                (_, _, into) ->
                        into.read(
                                type,
                                MemorySegment.ofArray(
                                        RandomBlocks.of(type, 1, 1 / Math.sqrt(size), random)),
                                0);
        var blocks =
                levels.map(each -> QuantizedLayout.rounded(each, form, numbers, size))
                        .orElse(drawn);
        QuantizedLayout.pack(name, form, type, rows, size, blocks, to);
    }

    /// Returns an array that the kernel reads and writes.
    ///
    /// @param twin the same numbers, which the reference implementation changes before [#check]
    FloatArray result(float[] twin) {
        var array = input(twin);
        results.put(array, () -> twin);
        return array;
    }

    /// Returns integers that the kernel reads and writes.
    ///
    /// @param expected the integers afterwards; negative ones are not compared
    IntArray result(int[] before, int[] expected) {
        var array = offsets(before);
        integers.put(array, expected);
        return array;
    }

    /// Returns random keys of several layers that the kernel writes or changes: `[layers, cacheRows, width]` for the reference
    /// implementation, `[layers, width, cacheRows]` for the kernel.
    Operand keys(ProgramShape shape, int layers) {
        var plain = numbers(layers * shape.cacheRows() * shape.cacheWidth(), 1);
        Supplier<float[]> transposed =
                () -> {
                    int width = shape.cacheWidth();
                    var keys = new float[plain.length];
                    for (int index = 0; index < plain.length; index++) {
                        int row = index / width % shape.cacheRows();
                        int layer = index / width - row;
                        int column = index % width;
                        keys[layer * width + column * shape.cacheRows() + row] = plain[index];
                    }
                    return keys;
                };
        var array = input(transposed.get());
        results.put(array, transposed);
        return new Operand(plain, array);
    }

    /// Returns the pass's integers.
    IntArray pass(PassStaging staging) {
        var array = IntArray.fromArray(staging.numbers());
        inputs.add(array);
        return array;
    }

    /// Returns integers that a kernel reads as [LayerOffsets].
    IntArray offsets(int... offsets) {
        var array = IntArray.fromArray(offsets);
        inputs.add(array);
        return array;
    }

    /// Returns integers of a layer that a kernel reads as [LayerOffsets].
    ///
    /// @param first the first ones; those that a shape does not determine are 0
    IntArray offsetsOf(ProgramShape shape, int... first) {
        int[] offsets = Arrays.copyOf(first, ProgramShape.LAYER_OFFSETS);
        offsets[LayerOffsets.CACHE_ROWS] = shape.cacheRows();
        offsets[LayerOffsets.MASK_WORDS] = shape.maskWords();
        offsets[LayerOffsets.SINKS] = shape.sinks(1);
        offsets[LayerOffsets.MAX_ROWS] = shape.maxRows();
        return offsets(offsets);
    }

    /// Returns the pass's masks.
    LongArray masks(PassStaging staging) {
        var array = LongArray.fromArray(staging.masks());
        inputs.add(array);
        return array;
    }

    /// Runs the kernel and compares. The reference implementation has already run.
    ///
    /// @param groups    work groups
    /// @param lanes     work items of a group
    /// @param tolerance largest difference that rounding can cause
    /// @param task      adds the kernel to a graph under a name
    KernelCheck check(int groups, int lanes, double tolerance, BiConsumer<TaskGraph, String> task) {
        try (var plan = plan(groups, lanes, task)) {
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
                            difference(result.getKey().toHeapArray(), result.getValue().get()));
        }
        for (var result : integers.entrySet()) {
            for (int index = 0; index < result.getValue().length; index++) {
                int expected = result.getValue()[index];
                if (expected >= 0 && result.getKey().get(index) != expected) {
                    difference = Double.MAX_VALUE;
                }
            }
        }
        return new KernelCheck(name, difference, tolerance, "");
    }

    private TornadoExecutionPlan plan(int groups, int lanes, BiConsumer<TaskGraph, String> task) {
        var graph = new TaskGraph(GRAPH);
        var grids = new GridScheduler(GRAPH + "." + TASK, grid(groups, lanes));
        graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, inputs.toArray());
        refill(graph, grids);
        task.accept(graph, TASK);
        graph.transferToHost(DataTransferMode.EVERY_EXECUTION, results.keySet().toArray());
        graph.transferToHost(DataTransferMode.EVERY_EXECUTION, integers.keySet().toArray());
        return new TornadoExecutionPlan(graph.snapshot()).withGridScheduler(grids);
    }

    /// Adds a kernel that writes the numbers to the device first, so that the comparison finds a write in a wrong place.
    /// TornadoVM does not copy an array that a kernel only writes, so its other elements would be undefined.
    private void refill(TaskGraph graph, GridScheduler grids) {
        int number = 0;
        for (var result : results.keySet()) {
            var numbers = FloatArray.fromArray(result.toHeapArray());
            graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, numbers);
            var name = "refill" + number++;
            int groups = Math.ceilDiv(numbers.getSize(), RowKernels.LANES);
            grids.addWorkerGrid(GRAPH + "." + name, grid(groups, RowKernels.LANES));
            graph.task(name, KernelTrial::copy, context, numbers, result, numbers.getSize());
        }
    }

    /// The kernel of [#refill]: copies an array.
    static void copy(KernelContext context, FloatArray from, FloatArray to, int size) {
        int item = context.globalIdx;
        if (item < size) {
            to.set(item, from.get(item));
        }
    }

    private static WorkerGrid1D grid(int groups, int lanes) {
        var grid = new WorkerGrid1D(groups * lanes);
        grid.setLocalWork(lanes, 1, 1);
        return grid;
    }

    /// Returns the largest difference; the largest double if only one of two numbers is NaN.
    private static double difference(float[] actual, float[] expected) {
        double largest = 0;
        for (int index = 0; index < expected.length; index++) {
            boolean both = Float.isNaN(actual[index]) && Float.isNaN(expected[index]);
            double difference = both ? 0 : Math.abs((double) actual[index] - expected[index]);
            largest = Math.max(largest, Double.isNaN(difference) ? Double.MAX_VALUE : difference);
        }
        return largest;
    }

    /// A random shape and a random pass, and trials of kernels over them. Confined to one thread.
    static final class RandomPass {
        static final int MAX_ROWS = 20;
        static final int WORDS = 2;
        static final int CACHE_ROWS = 300;
        static final int MOVES = 6;
        static final float EPSILON = 1e-5f;

        private final TornadoDevice device;
        private final SplittableRandom random;
        private final int block;
        private final DecoderConfig config;
        private final ProgramShape shape;
        private final PassStaging staging;
        private final RopeTable rope;

        RandomPass(TornadoDevice device, long seed) {
            this(device, seed, 1);
        }

        /// @param block a divisor of the lengths of matrices' rows
        RandomPass(TornadoDevice device, long seed, int block) {
            this.device = device;
            this.block = block;
            random = new SplittableRandom(seed);
            config = randomConfig();
            shape = new ProgramShape(config, MAX_ROWS, WORDS, CACHE_ROWS, MOVES);
            staging = randomPass();
            rope = RopeTable.of(config, config.maxPositions());
        }

        DecoderConfig config() {
            return config;
        }

        ProgramShape shape() {
            return shape;
        }

        PassStaging staging() {
            return staging;
        }

        RopeTable rope() {
            return rope;
        }

        /// Returns cosines, each followed by its sine.
        float[] rotations() {
            var numbers = new float[2 * rope.cos().length];
            for (int index = 0; index < rope.cos().length; index++) {
                numbers[2 * index] = rope.cos()[index];
                numbers[2 * index + 1] = rope.sin()[index];
            }
            return numbers;
        }

        /// Returns a trial with separate random numbers.
        KernelTrial trial(String kernel) {
            return new KernelTrial(kernel, device, random.split());
        }

        /// Returns a trial of a kernel that reads a matrix.
        KernelTrial trial(String kernel, int form) {
            return trial("%s, %d bits".formatted(kernel, QuantizedLayout.bits(form)));
        }

        /// Returns checks of the kernels of attention, with so few groups that some take several chunks.
        AttentionChecks attention(int keyChunk) {
            return new AttentionChecks(
                    this::trial,
                    shape.withKeyChunk(keyChunk),
                    staging,
                    1 + random.nextInt(2 * config.heads()));
        }

        private DecoderConfig randomConfig() {
            int keyHeads = 1 + random.nextInt(3);
            int heads = keyHeads * (1 + random.nextInt(4));
            return DecoderConfig.builder()
                    .vocabularySize(40 + random.nextInt(90))
                    .hiddenSize(Math.ceilDiv(10 + random.nextInt(600), block) * block)
                    .intermediateSize(Math.ceilDiv(10 + random.nextInt(600), block) * block)
                    .layers(2)
                    .heads(heads)
                    .keyValueHeads(keyHeads)
                    .headSize(2 * (1 + random.nextInt(48)))
                    .maxPositions(CACHE_ROWS)
                    .normEpsilon(EPSILON)
                    .tiedHead(true)
                    .slidingWindow(
                            random.nextBoolean()
                                    ? OptionalInt.of(1 + random.nextInt(120))
                                    : OptionalInt.empty())
                    .build();
        }

        /// Returns rows of two sequences: prompt tokens of one, a tree of the other.
        private PassStaging randomPass() {
            var pass = new PassStaging(shape);
            int sources = 40 + random.nextInt(20);
            for (int move = random.nextInt(MOVES + 1); move > 0; move--) {
                pass.move(sources + 2 * move, sources + move);
            }
            int prompt = random.nextInt(MAX_ROWS);
            int before = random.nextInt(90);
            for (int row = 0; row < prompt; row++) {
                boolean last = row == prompt - 1;
                pass.add(
                        token(),
                        before + row,
                        5,
                        before + row,
                        before + row + 1,
                        new BitSet(),
                        last);
            }
            int nodes = random.nextInt(MAX_ROWS - prompt + 1);
            int length = random.nextInt(90);
            int earlier = random.nextInt(64);
            var masks = new BitSet[nodes];
            for (int node = 0; node < nodes; node++) {
                masks[node] = new BitSet();
                if (node > 0) {
                    masks[node].or(masks[random.nextInt(node)]);
                } else {
                    masks[node].set(0, earlier);
                }
                masks[node].set(earlier + node);
                pass.add(
                        token(),
                        length + masks[node].cardinality() - 1,
                        // After the other sequence's rows.
                        120,
                        length + earlier + node,
                        length,
                        masks[node],
                        random.nextBoolean());
            }
            return pass;
        }

        private int token() {
            return random.nextInt(config.vocabularySize());
        }
    }
}
