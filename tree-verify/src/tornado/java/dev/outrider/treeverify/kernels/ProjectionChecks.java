package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.KernelCheck;
import dev.outrider.treeverify.WeightFormat;
import dev.outrider.treeverify.plain.PlainProjections;

/// Projections, beside their twins.
///
/// @param random shape and pass
/// @param format of the matrices
record ProjectionChecks(RandomPass random, WeightFormat format) {
    private static final double TOLERANCE = 3e-5;

    KernelCheck queryKeyValue(int rotate) {
        var trial = trial(rotate == 1 ? "queryKeyValue" : "queryKeyValue, not rotated");
        int size = random.config().hiddenSize();
        int outputs = random.shape().queryKeyValueOutputs();
        int biasBase = rotate == 1 ? 3 : -1;
        int layerBase = RandomPass.CACHE_ROWS * random.shape().cacheWidth();
        var weights = trial.numbers(outputs * size, 1 / Math.sqrt(size));
        var biases = trial.numbers(outputs + 3, 1);
        var from = trial.numbers(RandomPass.MAX_ROWS * size, 1);
        var queries = trial.numbers(RandomPass.MAX_ROWS * random.shape().queryWidth(), 1);
        var keys = trial.numbers(2 * RandomPass.CACHE_ROWS * random.shape().cacheWidth(), 1);
        var values = trial.numbers(keys.length, 1);
        var pass = trial.pass(random.staging());
        var matrix = trial.matrix(format, weights, outputs, size);
        var deviceBiases = trial.input(biases);
        var deviceFrom = trial.input(from);
        var cosines = trial.input(random.rope().cos());
        var sines = trial.input(random.rope().sin());
        var deviceQueries = trial.result(queries);
        var deviceKeys = trial.result(keys);
        var deviceValues = trial.result(values);
        PlainProjections.queryKeyValue(
                random.staging().numbers(),
                weights,
                biases,
                biasBase,
                from,
                random.rope().cos(),
                random.rope().sin(),
                queries,
                keys,
                values,
                layerBase,
                size,
                random.config().heads(),
                random.config().keyValueHeads(),
                random.config().headSize(),
                rotate,
                RandomPass.MAX_ROWS);
        return trial.check(
                Math.ceilDiv(outputs, Projections.TILE),
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                Projections::queryKeyValue,
                                trial.context(),
                                pass,
                                matrix.floats(deviceBiases),
                                matrix.packed(pass),
                                matrix.scale(),
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
                                random.config().heads(),
                                random.config().keyValueHeads(),
                                random.config().headSize(),
                                rotate,
                                RandomPass.MAX_ROWS));
    }

    KernelCheck residual() {
        var trial = trial("residual");
        int size = random.config().intermediateSize();
        int outputs = random.config().hiddenSize();
        var weights = trial.numbers(outputs * size, 1 / Math.sqrt(size));
        var biases = trial.numbers(outputs + 1, 1);
        var from = trial.numbers(RandomPass.MAX_ROWS * size, 1);
        var stream = trial.numbers(2 * RandomPass.MAX_ROWS * outputs, 1);
        var to = trial.numbers(3 * RandomPass.MAX_ROWS * outputs, 1);
        int streamBase = RandomPass.MAX_ROWS * outputs;
        int toBase = 2 * RandomPass.MAX_ROWS * outputs;
        var pass = trial.pass(random.staging());
        var matrix = trial.matrix(format, weights, outputs, size);
        var deviceBiases = trial.input(biases);
        var deviceFrom = trial.input(from);
        var deviceStream = trial.input(stream);
        var deviceTo = trial.result(to);
        PlainProjections.residual(
                random.staging().numbers(),
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
                                matrix.floats(deviceBiases),
                                matrix.packed(pass),
                                matrix.scale(),
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

    KernelCheck gateUp() {
        var trial = trial("gateUp");
        int size = random.config().hiddenSize();
        int inner = random.config().intermediateSize();
        var weights = trial.numbers(2 * inner * size, 1 / Math.sqrt(size));
        var biases = trial.numbers(2 * inner, 1);
        var from = trial.numbers(RandomPass.MAX_ROWS * size, 1);
        var to = trial.numbers(RandomPass.MAX_ROWS * inner, 1);
        var pass = trial.pass(random.staging());
        var matrix = trial.matrix(format, weights, 2 * inner, size);
        var deviceBiases = trial.input(biases);
        var deviceFrom = trial.input(from);
        var deviceTo = trial.result(to);
        PlainProjections.gateUp(
                random.staging().numbers(), weights, biases, 0, from, to, size, inner);
        return trial.check(
                Math.ceilDiv(2 * inner, Projections.TILE),
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                Projections::gateUp,
                                trial.context(),
                                pass,
                                matrix.floats(deviceBiases),
                                matrix.packed(pass),
                                matrix.scale(),
                                deviceBiases,
                                0,
                                deviceFrom,
                                deviceTo,
                                size,
                                inner));
    }

    KernelCheck head() {
        var trial = trial("head");
        int size = random.config().hiddenSize();
        int vocabulary = random.config().vocabularySize();
        var weights = trial.numbers(vocabulary * size, 1 / Math.sqrt(size));
        var from = trial.numbers(RandomPass.MAX_ROWS * size, 1);
        var logits = trial.numbers(RandomPass.MAX_ROWS * vocabulary, 1);
        var pass = trial.pass(random.staging());
        var matrix = trial.matrix(format, weights, vocabulary, size);
        var deviceFrom = trial.input(from);
        var deviceLogits = trial.result(logits);
        PlainProjections.head(
                random.staging().numbers(),
                weights,
                from,
                logits,
                size,
                vocabulary,
                RandomPass.MAX_ROWS);
        return trial.check(
                Math.ceilDiv(vocabulary, Projections.TILE),
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                Projections::head,
                                trial.context(),
                                pass,
                                matrix.floats(deviceFrom),
                                matrix.packed(pass),
                                matrix.scale(),
                                deviceFrom,
                                deviceLogits,
                                size,
                                vocabulary,
                                RandomPass.MAX_ROWS));
    }

    private KernelTrial trial(String kernel) {
        return random.trial(kernel, format);
    }
}
