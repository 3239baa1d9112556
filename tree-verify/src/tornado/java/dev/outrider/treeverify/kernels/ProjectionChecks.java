package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.KernelCheck;
import dev.outrider.treeverify.WeightFormat;
import dev.outrider.treeverify.reference.ReferenceProjections;

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
        var biases = trial.read(outputs + 3, 1);
        var from = trial.read(RandomPass.MAX_ROWS * size, 1);
        var queries = trial.written(RandomPass.MAX_ROWS * random.shape().queryWidth(), 1);
        var keys = trial.written(2 * RandomPass.CACHE_ROWS * random.shape().cacheWidth(), 1);
        var values = trial.written(keys.plain().length, 1);
        var pass = trial.pass(random.staging());
        var matrix = trial.matrix(format, weights, outputs, size);
        var cosines = trial.input(random.rope().cos());
        var sines = trial.input(random.rope().sin());
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
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                Projections::queryKeyValue,
                                trial.context(),
                                pass,
                                matrix.floats(biases.device()),
                                matrix.packed(pass),
                                matrix.scale(),
                                biases.device(),
                                biasBase,
                                from.device(),
                                cosines,
                                sines,
                                queries.device(),
                                keys.device(),
                                values.device(),
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
        var biases = trial.read(outputs + 1, 1);
        var from = trial.read(RandomPass.MAX_ROWS * size, 1);
        var stream = trial.read(2 * RandomPass.MAX_ROWS * outputs, 1);
        var to = trial.written(3 * RandomPass.MAX_ROWS * outputs, 1);
        int streamBase = RandomPass.MAX_ROWS * outputs;
        int toBase = 2 * RandomPass.MAX_ROWS * outputs;
        var pass = trial.pass(random.staging());
        var matrix = trial.matrix(format, weights, outputs, size);
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
        return trial.check(
                Math.ceilDiv(outputs, Projections.TILE),
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                Projections::residual,
                                trial.context(),
                                pass,
                                matrix.floats(biases.device()),
                                matrix.packed(pass),
                                matrix.scale(),
                                biases.device(),
                                1,
                                from.device(),
                                stream.device(),
                                streamBase,
                                to.device(),
                                toBase,
                                size,
                                outputs));
    }

    KernelCheck gateUp() {
        var trial = trial("gateUp");
        int size = random.config().hiddenSize();
        int inner = random.config().intermediateSize();
        var weights = trial.numbers(2 * inner * size, 1 / Math.sqrt(size));
        var biases = trial.read(2 * inner, 1);
        var from = trial.read(RandomPass.MAX_ROWS * size, 1);
        var to = trial.written(RandomPass.MAX_ROWS * inner, 1);
        var pass = trial.pass(random.staging());
        var matrix = trial.matrix(format, weights, 2 * inner, size);
        ReferenceProjections.gateUp(
                random.staging().numbers(), weights, biases.plain(), 0, from.plain(), to.plain(), size, inner);
        return trial.check(
                Math.ceilDiv(2 * inner, Projections.TILE),
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                Projections::gateUp,
                                trial.context(),
                                pass,
                                matrix.floats(biases.device()),
                                matrix.packed(pass),
                                matrix.scale(),
                                biases.device(),
                                0,
                                from.device(),
                                to.device(),
                                size,
                                inner));
    }

    KernelCheck head() {
        var trial = trial("head");
        int size = random.config().hiddenSize();
        int vocabulary = random.config().vocabularySize();
        var weights = trial.numbers(vocabulary * size, 1 / Math.sqrt(size));
        var from = trial.read(RandomPass.MAX_ROWS * size, 1);
        var logits = trial.written(RandomPass.MAX_ROWS * vocabulary, 1);
        var pass = trial.pass(random.staging());
        var matrix = trial.matrix(format, weights, vocabulary, size);
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
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                Projections::head,
                                trial.context(),
                                pass,
                                matrix.floats(from.device()),
                                matrix.packed(pass),
                                matrix.scale(),
                                from.device(),
                                logits.device(),
                                size,
                                vocabulary,
                                RandomPass.MAX_ROWS));
    }

    private KernelTrial trial(String kernel) {
        return random.trial(kernel, format);
    }
}
