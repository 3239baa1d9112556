package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.KernelCheck;
import dev.outrider.treeverify.WeightFormat;
import dev.outrider.treeverify.reference.ReferenceRows;

/// Kernels that work on rows, beside their twins.
///
/// @param random shape and pass
record RowChecks(RandomPass random) {
    private static final double TOLERANCE = 3e-5;

    KernelCheck embed(WeightFormat format) {
        var trial = random.trial("embed", format);
        var embedding =
                trial.numbers(random.config().vocabularySize() * random.config().hiddenSize(), 1);
        var stream = trial.written(2 * RandomPass.MAX_ROWS * random.config().hiddenSize(), 1);
        var pass = trial.pass(random.staging());
        var matrix =
                trial.matrix(
                        format,
                        embedding,
                        random.config().vocabularySize(),
                        random.config().hiddenSize());
        ReferenceRows.embed(
                random.staging().numbers(),
                embedding,
                stream.plain(),
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
                                matrix.floats(stream.device()),
                                matrix.packed(pass),
                                matrix.scale(),
                                stream.device(),
                                random.config().hiddenSize(),
                                RandomPass.MAX_ROWS));
    }

    KernelCheck rmsNorm() {
        var trial = random.trial("rmsNorm");
        int size = random.config().hiddenSize();
        var from = trial.read(2 * RandomPass.MAX_ROWS * size, 1);
        var weights = trial.read(3 * size, 1);
        var to = trial.written(RandomPass.MAX_ROWS * size, 1);
        var pass = trial.pass(random.staging());
        int fromBase = RandomPass.MAX_ROWS * size;
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
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                Normalisation::rmsNorm,
                                trial.context(),
                                pass,
                                from.device(),
                                fromBase,
                                weights.device(),
                                size,
                                to.device(),
                                size,
                                RandomPass.EPSILON));
    }

    KernelCheck normAndRotate() {
        var trial = random.trial("normAndRotate");
        int layerBase = RandomPass.CACHE_ROWS * random.shape().cacheWidth();
        var weights = trial.read(4 * random.config().headSize(), 1);
        var queries = trial.written(RandomPass.MAX_ROWS * random.shape().queryWidth(), 1);
        var keys = trial.written(2 * RandomPass.CACHE_ROWS * random.shape().cacheWidth(), 1);
        int weightBase = 2 * random.config().headSize();
        var pass = trial.pass(random.staging());
        var cosines = trial.input(random.rope().cos());
        var sines = trial.input(random.rope().sin());
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
                RandomPass.MAX_ROWS * (random.config().heads() + random.config().keyValueHeads()),
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                HeadNorms::normAndRotate,
                                trial.context(),
                                pass,
                                weights.device(),
                                weightBase,
                                cosines,
                                sines,
                                queries.device(),
                                keys.device(),
                                layerBase,
                                random.config().heads(),
                                random.config().keyValueHeads(),
                                random.config().headSize(),
                                RandomPass.EPSILON,
                                RandomPass.MAX_ROWS));
    }

    KernelCheck compact() {
        var trial = random.trial("compact");
        int width = random.shape().cacheWidth();
        int columns = 2 * width;
        var keys = trial.written(columns * RandomPass.CACHE_ROWS, 1);
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
                Math.ceilDiv(columns, Projections.LANES),
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
