package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.DeviceCode.KernelCheck;
import dev.outrider.treeverify.kernels.TreeAttention.ChunkReduction;
import dev.outrider.treeverify.pass.PassStaging;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.reference.ReferenceKernels.ReferenceAttention;
import java.util.Arrays;
import java.util.function.Function;

/// Compares the two kernels of attention with their reference implementations, in layer 1 of 2.
///
/// @param trials  makes a new trial of a kernel by its name
/// @param shape   shape with the length of chunks
/// @param staging the pass
/// @param groups  groups of the attention kernel; if there are more chunks than groups, a group takes several
record AttentionChecks(
        Function<String, KernelTrial> trials,
        ProgramShape shape,
        PassStaging staging,
        int groups) {
    private static final double TOLERANCE = 3e-5;

    /// Tolerance for sums of up to 300 exponentials, which are not averages.
    private static final double SUM_TOLERANCE = 2e-4;

    private static final int LAYER = 1;

    KernelCheck attend() {
        var config = shape.config();
        int chunks = shape.keyChunks(LAYER);
        var trial = trials.apply(chunks > 1 ? "attend, in chunks" : "attend");
        int layerBase = shape.cacheRows() * shape.cacheWidth();
        var queries = trial.read(shape.maxRows() * shape.queryWidth(), 1);
        var keys = trial.keys(shape, 2);
        var values = trial.read(keys.plain().length, 1);
        var to = trial.written(queries.plain().length, 1);
        var results = trial.written(results(chunks), 1);
        int window = config.window(LAYER).orElse(0);
        float scale = (float) (1 / Math.sqrt(config.headSize()));
        var biases = trial.read(shape.biases(), 2);
        int sinks = Math.max(0, shape.sinks(LAYER));
        int heads = config.form().scores().sinks() ? config.heads() : 0;
        var pass = trial.pass(staging);
        var masks = trial.masks(staging);
        var offsets = trial.offsetsOf(shape, layerBase);
        ReferenceAttention.attend(
                staging.numbers(),
                staging.masks(),
                queries.plain(),
                keys.plain(),
                values.plain(),
                to.plain(),
                results.plain(),
                Arrays.copyOfRange(biases.plain(), sinks, sinks + heads),
                layerBase,
                config.heads(),
                config.keyValueHeads(),
                config.headSize(),
                window,
                scale,
                shape.maxRows(),
                shape.maskWords(),
                shape.keyChunk(),
                chunks);
        return trial.check(
                groups,
                TreeAttention.LANES,
                chunks > 1 ? SUM_TOLERANCE : TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                TreeAttention::attend,
                                trial.context(),
                                pass,
                                masks,
                                queries.device(),
                                keys.device(),
                                values.device(),
                                to.device(),
                                results.device(),
                                biases.device(),
                                offsets,
                                config.heads(),
                                config.keyValueHeads(),
                                config.headSize(),
                                window,
                                scale,
                                0f,
                                shape.maxRows(),
                                shape.keyChunk(),
                                chunks,
                                groups));
    }

    KernelCheck reduce() {
        var config = shape.config();
        int chunks = shape.keyChunks(LAYER);
        var trial = trials.apply("reduce");
        var numbers = trial.numbers(results(chunks), 1);
        int size = shape.chunkResult();
        for (int total = size - 1; total < numbers.length; total += size) {
            numbers[total] = 1 + Math.abs(numbers[total]);
        }
        var to = trial.written(shape.maxRows() * shape.queryWidth(), 1);
        var pass = trial.pass(staging);
        var results = trial.input(numbers);
        int window = config.window(LAYER).orElse(0);
        ReferenceAttention.reduce(
                staging.numbers(),
                numbers,
                to.plain(),
                config.heads(),
                config.headSize(),
                window,
                shape.maxRows(),
                shape.keyChunk(),
                chunks);
        return trial.check(
                shape.maxRows() * config.heads(),
                TreeAttention.LANES,
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                ChunkReduction::reduce,
                                trial.context(),
                                pass,
                                results,
                                to.device(),
                                config.heads(),
                                config.headSize(),
                                window,
                                shape.maxRows(),
                                shape.keyChunk(),
                                chunks));
    }

    private int results(int chunks) {
        return shape.maxRows() * shape.config().heads() * chunks * shape.chunkResult();
    }
}
