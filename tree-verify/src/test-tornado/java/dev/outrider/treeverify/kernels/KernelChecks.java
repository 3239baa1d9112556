package dev.outrider.treeverify.kernels;

import dev.outrider.nn.gguf.GgufType;
import dev.outrider.treeverify.DeviceCode.KernelCheck;
import dev.outrider.treeverify.kernels.KernelTrial.Operand;
import dev.outrider.treeverify.kernels.KernelTrial.RandomPass;
import dev.outrider.treeverify.kernels.RowKernels.CacheMoves;
import dev.outrider.treeverify.kernels.RowKernels.Embedding;
import dev.outrider.treeverify.kernels.RowKernels.HeadNorms;
import dev.outrider.treeverify.kernels.RowKernels.Normalisation;
import dev.outrider.treeverify.pass.QuantizedLayout;
import dev.outrider.treeverify.reference.ReferenceKernels.ReferenceProjections;
import dev.outrider.treeverify.reference.ReferenceKernels.ReferenceRows;
import java.util.ArrayList;
import java.util.List;
import uk.ac.manchester.tornado.api.common.TornadoDevice;

/// Compares every kernel of a decoder's pass with its reference implementation, with one random shape and one random pass.
public final class KernelChecks {
    /// A length with which rows have several chunks, and a chunk takes more than one step of its group.
    private static final int SHORT_CHUNK = TreeAttention.LANES + 6;

    /// Formats that Outrider does not round to; together they have every flag of a form.
    private static final List<GgufType> OF_FILES =
            List.of(GgufType.Q4_K, GgufType.Q6_K, GgufType.Q5_1, GgufType.Q2_K);

    private KernelChecks() {}

    private static List<KernelCheck> matrices(RandomPass random, int form) {
        var projections = new ProjectionChecks(random, form);
        return List.of(
                new RowChecks(random).embed(form, true),
                projections.queryKeyValue(1),
                projections.residual(true),
                projections.gateUp(true),
                projections.head());
    }

    private static int form(GgufType type) {
        return QuantizedLayout.form(type).orElseThrow();
    }

    /// Runs every kernel once.
    ///
    /// @param seed seed of shapes and numbers
    public static List<KernelCheck> run(TornadoDevice device, long seed) {
        var random = new RandomPass(device, seed);
        var rows = new RowChecks(random);
        var checks = new ArrayList<KernelCheck>();
        for (int form : new int[] {32, 16, form(GgufType.Q8_0), form(GgufType.Q4_0)}) {
            checks.addAll(matrices(random, form));
        }
        checks.addAll(matrices(random, QuantizedLayout.E4M3_OF_32));
        for (var type : OF_FILES) {
            checks.addAll(matrices(new RandomPass(device, seed, type.block()), form(type)));
        }
        var plain = new ProjectionChecks(random, 32);
        checks.add(plain.queryKeyValue(0));
        checks.add(plain.residual(false));
        checks.add(plain.gateUp(false));
        checks.add(rows.embed(32, false));
        checks.add(rows.rmsNorm());
        checks.add(rows.normAndRotate());
        checks.add(random.attention(RandomPass.CACHE_ROWS).attend());
        checks.add(random.attention(SHORT_CHUNK).attend());
        checks.add(random.attention(SHORT_CHUNK).reduce());
        checks.add(rows.compact());
        checks.addAll(FeatureChecks.run(random));
        return List.copyOf(checks);
    }

    /// Compares projections with their reference implementations.
    ///
    /// @param random the shape and the pass
    /// @param form   form of the matrices
    record ProjectionChecks(RandomPass random, int form) {
        private static final double TOLERANCE = 3e-5;

        KernelCheck queryKeyValue(int rotate) {
            var trial = trial(rotate == 1 ? "queryKeyValue" : "queryKeyValue, not rotated");
            int size = random.config().hiddenSize();
            int outputs = random.shape().queryKeyValueOutputs();
            int biasBase = rotate == 1 ? 3 : -1;
            int layerBase = RandomPass.CACHE_ROWS * random.shape().cacheWidth();
            var weights = trial.numbers(outputs * size, 1 / Math.sqrt(size));
            var biases = trial.read(outputs + 3, 1);
            // Rows that are not rotated are not those of a folded norm.
            var from = rows(trial, rotate == 1);
            var queries = trial.written(RandomPass.MAX_ROWS * random.shape().queryWidth(), 1);
            var keys = trial.keys(random.shape(), 2);
            var values = trial.written(keys.plain().length, 1);
            var pass = trial.pass(random.staging());
            var offsets = trial.offsetsOf(random.shape(), layerBase, 0, 3);
            var matrix = trial.matrix(form, weights, outputs, size);
            var rotations = trial.input(random.rotations());
            ReferenceProjections.queryKeyValue(
                    random.staging().numbers(),
                    weights,
                    biases.plain(),
                    biasBase,
                    from.plain(),
                    random.rope().cos(),
                    random.rope().sin(),
                    queries.plain(),
                    keys.plain(),
                    values.plain(),
                    layerBase,
                    size,
                    random.config().heads(),
                    random.config().keyValueHeads(),
                    random.config().headSize(),
                    rotate,
                    RandomPass.MAX_ROWS);
            return trial.check(
                    Math.ceilDiv(outputs, Projections.TILE),
                    Projections.LANES,
                    TOLERANCE,
                    (graph, name) ->
                            graph.task(
                                    name,
                                    Projections::queryKeyValue,
                                    trial.context(),
                                    pass,
                                    matrix.floats(biases.device()),
                                    matrix.packed(pass),
                                    matrix.form(),
                                    biases.device(),
                                    rotate == 1 ? 2 : LayerOffsets.NONE,
                                    from.device(),
                                    1,
                                    rotations,
                                    queries.device(),
                                    keys.device(),
                                    values.device(),
                                    offsets,
                                    size,
                                    random.config().heads(),
                                    random.config().keyValueHeads(),
                                    random.config().headSize(),
                                    rotate * random.config().headSize(),
                                    rotate == 1 ? RandomPass.EPSILON : -1f));
        }

        KernelCheck residual(boolean folds) {
            var trial = trial(folds ? "residual, folded norm" : "residual");
            int size = random.config().intermediateSize();
            int outputs = random.config().hiddenSize();
            var weights = trial.numbers(outputs * size, 1 / Math.sqrt(size));
            var biases = trial.read(outputs + 1, 1);
            var from = trial.read(RandomPass.MAX_ROWS * size, 1);
            var stream = trial.read(2 * RandomPass.MAX_ROWS * outputs, 1);
            var to = trial.written(3 * RandomPass.MAX_ROWS * outputs, 1);
            int streamBase = RandomPass.MAX_ROWS * outputs;
            int toBase = 2 * RandomPass.MAX_ROWS * outputs;
            var pass = trial.pass(random.staging());
            var offsets = trial.offsetsOf(random.shape(), streamBase, toBase, 1);
            var matrix = trial.matrix(form, weights, outputs, size);
            var normed = trial.written(random.shape().normedRows(), 1);
            ReferenceProjections.residual(
                    random.staging().numbers(),
                    weights,
                    biases.plain(),
                    1,
                    from.plain(),
                    stream.plain(),
                    streamBase,
                    to.plain(),
                    toBase,
                    size,
                    outputs);
            if (folds) {
                ReferenceRows.fold(
                        random.staging().numbers(),
                        to.plain(),
                        toBase,
                        biases.plain(),
                        1,
                        normed.plain(),
                        outputs,
                        RandomPass.MAX_ROWS);
            }
            return trial.check(
                    Math.ceilDiv(outputs, Projections.TILE),
                    Projections.LANES,
                    TOLERANCE,
                    (graph, name) ->
                            graph.task(
                                    name,
                                    Projections::residual,
                                    trial.context(),
                                    pass,
                                    matrix.floats(biases.device()),
                                    matrix.packed(pass),
                                    matrix.form(),
                                    biases.device(),
                                    2,
                                    from.device(),
                                    stream.device(),
                                    0,
                                    to.device(),
                                    1,
                                    biases.device(),
                                    folds ? 2 : LayerOffsets.NONE,
                                    normed.device(),
                                    offsets,
                                    size,
                                    outputs,
                                    1f,
                                    0));
        }

        KernelCheck gateUp(boolean folded) {
            var trial = trial(folded ? "gateUp, folded norm" : "gateUp");
            int size = random.config().hiddenSize();
            int inner = random.config().intermediateSize();
            var weights = trial.numbers(2 * inner * size, 1 / Math.sqrt(size));
            var biases = trial.read(2 * inner, 1);
            var from = rows(trial, folded);
            var to = trial.written(RandomPass.MAX_ROWS * inner, 1);
            var pass = trial.pass(random.staging());
            var offsets = trial.offsets(0);
            var matrix = trial.matrix(form, weights, 2 * inner, size);
            ReferenceProjections.gateUp(
                    random.staging().numbers(),
                    weights,
                    biases.plain(),
                    0,
                    from.plain(),
                    to.plain(),
                    size,
                    inner);
            return trial.check(
                    Math.ceilDiv(2 * inner, Projections.TILE),
                    Projections.LANES,
                    TOLERANCE,
                    (graph, name) ->
                            graph.task(
                                    name,
                                    Projections::gateUp,
                                    trial.context(),
                                    pass,
                                    matrix.floats(biases.device()),
                                    matrix.packed(pass),
                                    matrix.form(),
                                    biases.device(),
                                    0,
                                    from.device(),
                                    0,
                                    to.device(),
                                    offsets,
                                    size,
                                    inner,
                                    0,
                                    0f,
                                    0f,
                                    0,
                                    RandomPass.MAX_ROWS,
                                    folded ? RandomPass.EPSILON : -1f));
        }

        KernelCheck head() {
            var trial = trial("head");
            int size = random.config().hiddenSize();
            int vocabulary = random.config().vocabularySize();
            var weights = trial.numbers(vocabulary * size, 1 / Math.sqrt(size));
            var from = trial.read(RandomPass.MAX_ROWS * size, 1);
            var logits = trial.written(RandomPass.MAX_ROWS * vocabulary, 1);
            var pass = trial.pass(random.staging());
            var matrix = trial.matrix(form, weights, vocabulary, size);
            ReferenceProjections.head(
                    random.staging().numbers(),
                    weights,
                    from.plain(),
                    logits.plain(),
                    size,
                    vocabulary,
                    RandomPass.MAX_ROWS);
            return trial.check(
                    Math.ceilDiv(vocabulary, Projections.TILE),
                    Projections.LANES,
                    TOLERANCE,
                    (graph, name) ->
                            graph.task(
                                    name,
                                    Projections::head,
                                    trial.context(),
                                    pass,
                                    matrix.floats(from.device()),
                                    matrix.packed(pass),
                                    matrix.form(),
                                    from.device(),
                                    logits.device(),
                                    size,
                                    vocabulary,
                                    RandomPass.MAX_ROWS,
                                    1f,
                                    0f));
        }

        /// Returns random rows of the hidden size; those of a folded norm for the kernel, and their norm for the reference
        /// implementation, or the same for both.
        private Operand rows(KernelTrial trial, boolean folded) {
            int size = random.config().hiddenSize();
            if (!folded) {
                return trial.read(RandomPass.MAX_ROWS * size, 1);
            }
            int[] pass = random.staging().numbers();
            var from = trial.numbers(RandomPass.MAX_ROWS * size, 3);
            var norm = trial.numbers(size, 1);
            var rows = new float[random.shape().normedRows()];
            var normed = new float[RandomPass.MAX_ROWS * size];
            ReferenceRows.fold(pass, from, 0, norm, 0, rows, size, RandomPass.MAX_ROWS);
            ReferenceRows.rmsNorm(pass, from, 0, norm, 0, normed, size, RandomPass.EPSILON);
            return new Operand(normed, trial.input(rows));
        }

        private KernelTrial trial(String kernel) {
            return random.trial(kernel, form);
        }
    }

    /// Compares kernels that work on rows with their reference implementations.
    ///
    /// @param random the shape and the pass
    record RowChecks(RandomPass random) {
        private static final double TOLERANCE = 3e-5;

        KernelCheck embed(int form, boolean folds) {
            var trial = random.trial(folds ? "embed, folded norm" : "embed", form);
            var embedding =
                    trial.numbers(
                            random.config().vocabularySize() * random.config().hiddenSize(), 1);
            var stream = trial.written(2 * RandomPass.MAX_ROWS * random.config().hiddenSize(), 1);
            var norms = trial.read(random.config().hiddenSize() + 3, 1);
            var pass = trial.pass(random.staging());
            var matrix =
                    trial.matrix(
                            form,
                            embedding,
                            random.config().vocabularySize(),
                            random.config().hiddenSize());
            ReferenceRows.embed(
                    random.staging().numbers(),
                    embedding,
                    stream.plain(),
                    random.config().hiddenSize(),
                    RandomPass.MAX_ROWS);
            var normed = trial.written(random.shape().normedRows(), 1);
            if (folds) {
                ReferenceRows.fold(
                        random.staging().numbers(),
                        stream.plain(),
                        0,
                        norms.plain(),
                        3,
                        normed.plain(),
                        random.config().hiddenSize(),
                        RandomPass.MAX_ROWS);
            }
            return trial.check(
                    Math.ceilDiv(RandomPass.MAX_ROWS * random.shape().blocks(), RowKernels.LANES),
                    RowKernels.LANES,
                    folds ? TOLERANCE : 0,
                    (graph, name) ->
                            graph.task(
                                    name,
                                    Embedding::embed,
                                    trial.context(),
                                    pass,
                                    matrix.floats(stream.device()),
                                    matrix.packed(pass),
                                    matrix.form(),
                                    stream.device(),
                                    0,
                                    stream.device(),
                                    norms.device(),
                                    folds ? 3 : LayerOffsets.NONE,
                                    normed.device(),
                                    random.config().hiddenSize(),
                                    RandomPass.MAX_ROWS,
                                    1f));
        }

        KernelCheck rmsNorm() {
            var trial = random.trial("rmsNorm");
            int size = random.config().hiddenSize();
            var from = trial.read(2 * RandomPass.MAX_ROWS * size, 1);
            var weights = trial.read(3 * size, 1);
            var to = trial.written(RandomPass.MAX_ROWS * size, 1);
            var pass = trial.pass(random.staging());
            int fromBase = RandomPass.MAX_ROWS * size;
            var offsets = trial.offsets(fromBase, size, 0);
            ReferenceRows.rmsNorm(
                    random.staging().numbers(),
                    from.plain(),
                    fromBase,
                    weights.plain(),
                    size,
                    to.plain(),
                    size,
                    RandomPass.EPSILON);
            return trial.check(
                    RandomPass.MAX_ROWS,
                    Normalisation.LANES,
                    TOLERANCE,
                    (graph, name) ->
                            graph.task(
                                    name,
                                    Normalisation::normalise,
                                    trial.context(),
                                    pass,
                                    from.device(),
                                    0,
                                    weights.device(),
                                    1,
                                    from.device(),
                                    LayerOffsets.NONE,
                                    to.device(),
                                    2,
                                    offsets,
                                    size,
                                    RandomPass.EPSILON,
                                    0));
        }

        KernelCheck normAndRotate() {
            var trial = random.trial("normAndRotate");
            int layerBase = RandomPass.CACHE_ROWS * random.shape().cacheWidth();
            var weights = trial.read(4 * random.config().headSize(), 1);
            var queries = trial.written(RandomPass.MAX_ROWS * random.shape().queryWidth(), 1);
            var keys = trial.keys(random.shape(), 2);
            int weightBase = 2 * random.config().headSize();
            var pass = trial.pass(random.staging());
            var offsets = trial.offsetsOf(random.shape(), layerBase, 0, 0, 0, 0, 0, weightBase);
            var rotations = trial.input(random.rotations());
            ReferenceRows.normAndRotate(
                    random.staging().numbers(),
                    weights.plain(),
                    weightBase,
                    random.rope().cos(),
                    random.rope().sin(),
                    queries.plain(),
                    keys.plain(),
                    layerBase,
                    random.config().heads(),
                    random.config().keyValueHeads(),
                    random.config().headSize(),
                    RandomPass.EPSILON,
                    RandomPass.MAX_ROWS);
            return trial.check(
                    RandomPass.MAX_ROWS
                            * (random.config().heads() + random.config().keyValueHeads()),
                    RowKernels.LANES,
                    TOLERANCE,
                    (graph, name) ->
                            graph.task(
                                    name,
                                    HeadNorms::normAndRotate,
                                    trial.context(),
                                    pass,
                                    weights.device(),
                                    rotations,
                                    queries.device(),
                                    keys.device(),
                                    offsets,
                                    random.config().heads(),
                                    random.config().keyValueHeads(),
                                    random.config().headSize(),
                                    random.config().headSize(),
                                    0,
                                    RandomPass.EPSILON,
                                    RandomPass.MAX_ROWS));
        }

        KernelCheck compact() {
            var trial = random.trial("compact");
            int width = random.shape().cacheWidth();
            int columns = 2 * width;
            var keys = trial.keys(random.shape(), 2);
            var values = trial.written(columns * RandomPass.CACHE_ROWS, 1);
            var pass = trial.pass(random.staging());
            ReferenceRows.compact(
                    random.staging().numbers(),
                    keys.plain(),
                    values.plain(),
                    columns,
                    width,
                    RandomPass.CACHE_ROWS,
                    RandomPass.MAX_ROWS,
                    RandomPass.MOVES);
            return trial.check(
                    Math.ceilDiv(columns, RowKernels.LANES),
                    RowKernels.LANES,
                    0,
                    (graph, name) ->
                            graph.task(
                                    name,
                                    CacheMoves::compact,
                                    trial.context(),
                                    pass,
                                    keys.device(),
                                    values.device(),
                                    columns,
                                    width,
                                    RandomPass.CACHE_ROWS,
                                    RandomPass.MAX_ROWS,
                                    RandomPass.MOVES));
        }
    }
}
