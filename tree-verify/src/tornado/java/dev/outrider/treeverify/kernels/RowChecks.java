package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.KernelCheck;
import dev.outrider.treeverify.WeightFormat;
import dev.outrider.treeverify.plain.PlainAttention;
import dev.outrider.treeverify.plain.PlainRows;

/// Kernels that work on rows, beside their twins.
///
/// @param random shape and pass
record RowChecks(RandomPass random) {
    private static final double TOLERANCE = 3e-5;

    KernelCheck embed(WeightFormat format) {
        var trial = random.trial("embed", format);
        var embedding =
                trial.numbers(random.config().vocabularySize() * random.config().hiddenSize(), 1);
        var stream = trial.numbers(2 * RandomPass.MAX_ROWS * random.config().hiddenSize(), 1);
        var pass = trial.pass(random.staging());
        var matrix =
                trial.matrix(
                        format,
                        embedding,
                        random.config().vocabularySize(),
                        random.config().hiddenSize());
        var deviceStream = trial.result(stream);
        PlainRows.embed(
                random.staging().numbers(),
                embedding,
                stream,
                random.config().hiddenSize(),
                RandomPass.MAX_ROWS);
        return trial.check(
                Math.ceilDiv(RandomPass.MAX_ROWS * random.config().hiddenSize(), Projections.LANES),
                0,
                (graph, name) ->
                        graph.task(
                                name,
                                Embedding::embed,
                                trial.context(),
                                pass,
                                matrix.floats(deviceStream),
                                matrix.packed(pass),
                                matrix.scale(),
                                deviceStream,
                                random.config().hiddenSize(),
                                RandomPass.MAX_ROWS));
    }

    KernelCheck rmsNorm() {
        var trial = random.trial("rmsNorm");
        int size = random.config().hiddenSize();
        var from = trial.numbers(2 * RandomPass.MAX_ROWS * size, 1);
        var weights = trial.numbers(3 * size, 1);
        var to = trial.numbers(RandomPass.MAX_ROWS * size, 1);
        var pass = trial.pass(random.staging());
        var deviceFrom = trial.input(from);
        var deviceWeights = trial.input(weights);
        var deviceTo = trial.result(to);
        int fromBase = RandomPass.MAX_ROWS * size;
        PlainRows.rmsNorm(
                random.staging().numbers(),
                from,
                fromBase,
                weights,
                size,
                to,
                size,
                RandomPass.EPSILON);
        return trial.check(
                RandomPass.MAX_ROWS,
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
                                RandomPass.EPSILON));
    }

    KernelCheck normAndRotate() {
        var trial = random.trial("normAndRotate");
        int layerBase = RandomPass.CACHE_ROWS * random.shape().cacheWidth();
        var weights = trial.numbers(4 * random.config().headSize(), 1);
        var queries = trial.numbers(RandomPass.MAX_ROWS * random.shape().queryWidth(), 1);
        var keys = trial.numbers(2 * RandomPass.CACHE_ROWS * random.shape().cacheWidth(), 1);
        int weightBase = 2 * random.config().headSize();
        var pass = trial.pass(random.staging());
        var deviceWeights = trial.input(weights);
        var cosines = trial.input(random.rope().cos());
        var sines = trial.input(random.rope().sin());
        var deviceQueries = trial.result(queries);
        var deviceKeys = trial.result(keys);
        PlainRows.normAndRotate(
                random.staging().numbers(),
                weights,
                weightBase,
                random.rope().cos(),
                random.rope().sin(),
                queries,
                keys,
                layerBase,
                random.config().heads(),
                random.config().keyValueHeads(),
                random.config().headSize(),
                RandomPass.EPSILON,
                RandomPass.MAX_ROWS);
        return trial.check(
                RandomPass.MAX_ROWS * (random.config().heads() + random.config().keyValueHeads()),
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
                                random.config().heads(),
                                random.config().keyValueHeads(),
                                random.config().headSize(),
                                RandomPass.EPSILON,
                                RandomPass.MAX_ROWS));
    }

    KernelCheck attend() {
        var trial = random.trial("attend");
        int layerBase = RandomPass.CACHE_ROWS * random.shape().cacheWidth();
        var queries = trial.numbers(RandomPass.MAX_ROWS * random.shape().queryWidth(), 1);
        var keys = trial.numbers(2 * RandomPass.CACHE_ROWS * random.shape().cacheWidth(), 1);
        var values = trial.numbers(keys.length, 1);
        var to = trial.numbers(queries.length, 1);
        int window = random.config().window(0).orElse(0);
        float scale = (float) (1 / Math.sqrt(random.config().headSize()));
        var pass = trial.pass(random.staging());
        var masks = trial.masks(random.staging());
        var deviceQueries = trial.input(queries);
        var deviceKeys = trial.input(keys);
        var deviceValues = trial.input(values);
        var deviceTo = trial.result(to);
        PlainAttention.attend(
                random.staging().numbers(),
                random.staging().masks(),
                queries,
                keys,
                values,
                to,
                layerBase,
                random.config().heads(),
                random.config().keyValueHeads(),
                random.config().headSize(),
                window,
                scale,
                RandomPass.MAX_ROWS,
                RandomPass.WORDS);
        return trial.check(
                RandomPass.MAX_ROWS * random.config().heads(),
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
                                random.config().heads(),
                                random.config().keyValueHeads(),
                                random.config().headSize(),
                                window,
                                scale,
                                RandomPass.MAX_ROWS,
                                RandomPass.WORDS));
    }

    KernelCheck compact() {
        var trial = random.trial("compact");
        int width = random.shape().cacheWidth();
        int columns = 2 * width;
        var keys = trial.numbers(columns * RandomPass.CACHE_ROWS, 1);
        var values = trial.numbers(columns * RandomPass.CACHE_ROWS, 1);
        var pass = trial.pass(random.staging());
        var deviceKeys = trial.result(keys);
        var deviceValues = trial.result(values);
        PlainRows.compact(
                random.staging().numbers(),
                keys,
                values,
                columns,
                width,
                RandomPass.CACHE_ROWS,
                RandomPass.MAX_ROWS,
                RandomPass.MOVES);
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
                                RandomPass.CACHE_ROWS,
                                RandomPass.MAX_ROWS,
                                RandomPass.MOVES));
    }
}
