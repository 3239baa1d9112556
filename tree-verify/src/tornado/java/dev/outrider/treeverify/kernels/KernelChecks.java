package dev.outrider.treeverify.kernels;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RopeTable;
import dev.outrider.treeverify.KernelCheck;
import dev.outrider.treeverify.pass.PassStaging;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.plain.PlainAttention;
import dev.outrider.treeverify.plain.PlainProjections;
import dev.outrider.treeverify.plain.PlainRows;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import uk.ac.manchester.tornado.api.common.TornadoDevice;

/// Every kernel of a decoder's pass beside its twin, over one random shape and one random pass. What a user's machine
/// is tested with, and what the tests run over many seeds.
public final class KernelChecks {
    private static final int MAX_ROWS = 20;
    private static final int WORDS = 2;
    private static final int CACHE_ROWS = 300;
    private static final int MOVES = 6;
    private static final double TOLERANCE = 3e-5;
    private static final float EPSILON = 1e-5f;

    private final TornadoDevice device;
    private final SplittableRandom random;
    private final DecoderConfig config;
    private final ProgramShape shape;
    private final PassStaging staging;
    private final RopeTable rope;

    private KernelChecks(TornadoDevice device, long seed) {
        this.device = device;
        random = new SplittableRandom(seed);
        config = randomConfig();
        shape = new ProgramShape(config, MAX_ROWS, WORDS, CACHE_ROWS, MOVES);
        staging = randomPass();
        rope = RopeTable.of(config, config.maxPositions());
    }

    /// Runs every kernel once.
    ///
    /// @param seed of shapes and numbers
    public static List<KernelCheck> run(TornadoDevice device, long seed) {
        var checks = new KernelChecks(device, seed);
        return List.of(
                checks.embed(),
                checks.rmsNorm(),
                checks.queryKeyValue(1),
                checks.queryKeyValue(0),
                checks.normAndRotate(),
                checks.attend(),
                checks.residual(),
                checks.gateUp(),
                checks.head(),
                checks.compact());
    }

    private KernelCheck embed() {
        var trial = trial("embed");
        var embedding = trial.numbers(config.vocabularySize() * config.hiddenSize(), 1);
        var stream = trial.numbers(2 * MAX_ROWS * config.hiddenSize(), 1);
        var pass = trial.pass(staging);
        var deviceEmbedding = trial.input(embedding);
        var deviceStream = trial.result(stream);
        PlainRows.embed(staging.numbers(), embedding, stream, config.hiddenSize(), MAX_ROWS);
        return trial.check(
                Math.ceilDiv(MAX_ROWS * config.hiddenSize(), Projections.LANES),
                0,
                (graph, name) ->
                        graph.task(
                                name,
                                Embedding::embed,
                                trial.context(),
                                pass,
                                deviceEmbedding,
                                deviceStream,
                                config.hiddenSize(),
                                MAX_ROWS));
    }

    private KernelCheck rmsNorm() {
        var trial = trial("rmsNorm");
        int size = config.hiddenSize();
        var from = trial.numbers(2 * MAX_ROWS * size, 1);
        var weights = trial.numbers(3 * size, 1);
        var to = trial.numbers(MAX_ROWS * size, 1);
        var pass = trial.pass(staging);
        var deviceFrom = trial.input(from);
        var deviceWeights = trial.input(weights);
        var deviceTo = trial.result(to);
        int fromBase = MAX_ROWS * size;
        PlainRows.rmsNorm(staging.numbers(), from, fromBase, weights, size, to, size, EPSILON);
        return trial.check(
                MAX_ROWS,
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                Normalisation::rmsNorm,
                                trial.context(),
                                pass,
                                deviceFrom,
                                fromBase,
                                deviceWeights,
                                size,
                                deviceTo,
                                size,
                                EPSILON));
    }

    private KernelCheck queryKeyValue(int rotate) {
        var trial = trial(rotate == 1 ? "queryKeyValue" : "queryKeyValue, not rotated");
        int size = config.hiddenSize();
        int outputs = shape.queryKeyValueOutputs();
        int biasBase = rotate == 1 ? 3 : -1;
        int layerBase = CACHE_ROWS * shape.cacheWidth();
        var weights = trial.numbers(outputs * size, 1 / Math.sqrt(size));
        var biases = trial.numbers(outputs + 3, 1);
        var from = trial.numbers(MAX_ROWS * size, 1);
        var queries = trial.numbers(MAX_ROWS * shape.queryWidth(), 1);
        var keys = trial.numbers(2 * CACHE_ROWS * shape.cacheWidth(), 1);
        var values = trial.numbers(keys.length, 1);
        var pass = trial.pass(staging);
        var deviceWeights = trial.input(weights);
        var deviceBiases = trial.input(biases);
        var deviceFrom = trial.input(from);
        var cosines = trial.input(rope.cos());
        var sines = trial.input(rope.sin());
        var deviceQueries = trial.result(queries);
        var deviceKeys = trial.result(keys);
        var deviceValues = trial.result(values);
        PlainProjections.queryKeyValue(
                staging.numbers(),
                weights,
                biases,
                biasBase,
                from,
                rope.cos(),
                rope.sin(),
                queries,
                keys,
                values,
                layerBase,
                size,
                config.heads(),
                config.keyValueHeads(),
                config.headSize(),
                rotate,
                MAX_ROWS);
        return trial.check(
                Math.ceilDiv(outputs, Projections.TILE),
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                Projections::queryKeyValue,
                                trial.context(),
                                pass,
                                deviceWeights,
                                deviceBiases,
                                biasBase,
                                deviceFrom,
                                cosines,
                                sines,
                                deviceQueries,
                                deviceKeys,
                                deviceValues,
                                layerBase,
                                size,
                                config.heads(),
                                config.keyValueHeads(),
                                config.headSize(),
                                rotate,
                                MAX_ROWS));
    }

    private KernelCheck normAndRotate() {
        var trial = trial("normAndRotate");
        int layerBase = CACHE_ROWS * shape.cacheWidth();
        var weights = trial.numbers(4 * config.headSize(), 1);
        var queries = trial.numbers(MAX_ROWS * shape.queryWidth(), 1);
        var keys = trial.numbers(2 * CACHE_ROWS * shape.cacheWidth(), 1);
        int weightBase = 2 * config.headSize();
        var pass = trial.pass(staging);
        var deviceWeights = trial.input(weights);
        var cosines = trial.input(rope.cos());
        var sines = trial.input(rope.sin());
        var deviceQueries = trial.result(queries);
        var deviceKeys = trial.result(keys);
        PlainRows.normAndRotate(
                staging.numbers(),
                weights,
                weightBase,
                rope.cos(),
                rope.sin(),
                queries,
                keys,
                layerBase,
                config.heads(),
                config.keyValueHeads(),
                config.headSize(),
                EPSILON,
                MAX_ROWS);
        return trial.check(
                MAX_ROWS * (config.heads() + config.keyValueHeads()),
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                HeadNorms::normAndRotate,
                                trial.context(),
                                pass,
                                deviceWeights,
                                weightBase,
                                cosines,
                                sines,
                                deviceQueries,
                                deviceKeys,
                                layerBase,
                                config.heads(),
                                config.keyValueHeads(),
                                config.headSize(),
                                EPSILON,
                                MAX_ROWS));
    }

    private KernelCheck attend() {
        var trial = trial("attend");
        int layerBase = CACHE_ROWS * shape.cacheWidth();
        var queries = trial.numbers(MAX_ROWS * shape.queryWidth(), 1);
        var keys = trial.numbers(2 * CACHE_ROWS * shape.cacheWidth(), 1);
        var values = trial.numbers(keys.length, 1);
        var to = trial.numbers(queries.length, 1);
        int window = config.window(0).orElse(0);
        float scale = (float) (1 / Math.sqrt(config.headSize()));
        var pass = trial.pass(staging);
        var masks = trial.masks(staging);
        var deviceQueries = trial.input(queries);
        var deviceKeys = trial.input(keys);
        var deviceValues = trial.input(values);
        var deviceTo = trial.result(to);
        PlainAttention.attend(
                staging.numbers(),
                staging.masks(),
                queries,
                keys,
                values,
                to,
                layerBase,
                config.heads(),
                config.keyValueHeads(),
                config.headSize(),
                window,
                scale,
                MAX_ROWS,
                WORDS);
        return trial.check(
                MAX_ROWS * config.heads(),
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                TreeAttention::attend,
                                trial.context(),
                                pass,
                                masks,
                                deviceQueries,
                                deviceKeys,
                                deviceValues,
                                deviceTo,
                                layerBase,
                                config.heads(),
                                config.keyValueHeads(),
                                config.headSize(),
                                window,
                                scale,
                                MAX_ROWS,
                                WORDS));
    }

    private KernelCheck residual() {
        var trial = trial("residual");
        int size = config.intermediateSize();
        int outputs = config.hiddenSize();
        var weights = trial.numbers(outputs * size, 1 / Math.sqrt(size));
        var biases = trial.numbers(outputs + 1, 1);
        var from = trial.numbers(MAX_ROWS * size, 1);
        var stream = trial.numbers(2 * MAX_ROWS * outputs, 1);
        var to = trial.numbers(3 * MAX_ROWS * outputs, 1);
        int streamBase = MAX_ROWS * outputs;
        int toBase = 2 * MAX_ROWS * outputs;
        var pass = trial.pass(staging);
        var deviceWeights = trial.input(weights);
        var deviceBiases = trial.input(biases);
        var deviceFrom = trial.input(from);
        var deviceStream = trial.input(stream);
        var deviceTo = trial.result(to);
        PlainProjections.residual(
                staging.numbers(),
                weights,
                biases,
                1,
                from,
                stream,
                streamBase,
                to,
                toBase,
                size,
                outputs);
        return trial.check(
                Math.ceilDiv(outputs, Projections.TILE),
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                Projections::residual,
                                trial.context(),
                                pass,
                                deviceWeights,
                                deviceBiases,
                                1,
                                deviceFrom,
                                deviceStream,
                                streamBase,
                                deviceTo,
                                toBase,
                                size,
                                outputs));
    }

    private KernelCheck gateUp() {
        var trial = trial("gateUp");
        int size = config.hiddenSize();
        int inner = config.intermediateSize();
        var weights = trial.numbers(2 * inner * size, 1 / Math.sqrt(size));
        var biases = trial.numbers(2 * inner, 1);
        var from = trial.numbers(MAX_ROWS * size, 1);
        var to = trial.numbers(MAX_ROWS * inner, 1);
        var pass = trial.pass(staging);
        var deviceWeights = trial.input(weights);
        var deviceBiases = trial.input(biases);
        var deviceFrom = trial.input(from);
        var deviceTo = trial.result(to);
        PlainProjections.gateUp(staging.numbers(), weights, biases, 0, from, to, size, inner);
        return trial.check(
                Math.ceilDiv(2 * inner, Projections.TILE),
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                Projections::gateUp,
                                trial.context(),
                                pass,
                                deviceWeights,
                                deviceBiases,
                                0,
                                deviceFrom,
                                deviceTo,
                                size,
                                inner));
    }

    private KernelCheck head() {
        var trial = trial("head");
        int size = config.hiddenSize();
        int vocabulary = config.vocabularySize();
        var weights = trial.numbers(vocabulary * size, 1 / Math.sqrt(size));
        var from = trial.numbers(MAX_ROWS * size, 1);
        var logits = trial.numbers(MAX_ROWS * vocabulary, 1);
        var pass = trial.pass(staging);
        var deviceWeights = trial.input(weights);
        var deviceFrom = trial.input(from);
        var deviceLogits = trial.result(logits);
        PlainProjections.head(staging.numbers(), weights, from, logits, size, vocabulary, MAX_ROWS);
        return trial.check(
                Math.ceilDiv(vocabulary, Projections.TILE),
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                Projections::head,
                                trial.context(),
                                pass,
                                deviceWeights,
                                deviceFrom,
                                deviceLogits,
                                size,
                                vocabulary,
                                MAX_ROWS));
    }

    private KernelCheck compact() {
        var trial = trial("compact");
        int width = shape.cacheWidth();
        int columns = 2 * width;
        var keys = trial.numbers(columns * CACHE_ROWS, 1);
        var values = trial.numbers(columns * CACHE_ROWS, 1);
        var pass = trial.pass(staging);
        var deviceKeys = trial.result(keys);
        var deviceValues = trial.result(values);
        PlainRows.compact(
                staging.numbers(), keys, values, columns, width, CACHE_ROWS, MAX_ROWS, MOVES);
        return trial.check(
                Math.ceilDiv(columns, Projections.LANES),
                0,
                (graph, name) ->
                        graph.task(
                                name,
                                CacheMoves::compact,
                                trial.context(),
                                pass,
                                deviceKeys,
                                deviceValues,
                                columns,
                                width,
                                CACHE_ROWS,
                                MAX_ROWS,
                                MOVES));
    }

    private KernelTrial trial(String kernel) {
        return new KernelTrial(kernel, device, random.split());
    }

    private DecoderConfig randomConfig() {
        int keyHeads = 1 + random.nextInt(3);
        int heads = keyHeads * (1 + random.nextInt(4));
        return new DecoderConfig(
                40 + random.nextInt(90),
                10 + random.nextInt(150),
                10 + random.nextInt(150),
                2,
                heads,
                keyHeads,
                2 * (1 + random.nextInt(48)),
                CACHE_ROWS,
                EPSILON,
                true,
                false,
                false,
                false,
                false,
                random.nextBoolean()
                        ? OptionalInt.of(1 + random.nextInt(120))
                        : OptionalInt.empty(),
                0,
                10_000);
    }

    /// Rows of two sequences: prompt tokens of one, a tree of the other.
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
            pass.add(token(), before + row, 5, before + row, before + row + 1, new BitSet(), last);
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
