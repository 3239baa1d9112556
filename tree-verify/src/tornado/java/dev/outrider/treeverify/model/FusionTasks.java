package dev.outrider.treeverify.model;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.nn.network.Weight;
import dev.outrider.treeverify.kernels.FeatureKernels;
import dev.outrider.treeverify.kernels.LayerOffsets;
import dev.outrider.treeverify.kernels.StoredMatrix;
import dev.outrider.treeverify.pass.ProgramShape;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// The tasks of a draft layer's input.
final class FusionTasks {
    private final PassTasks tasks;
    private final ProgramShape shape;
    private final DecoderConfig config;
    private final DeviceArrays arrays;
    private final FusionArrays fusion;

    /// @param tasks of the pass of a draft layer
    FusionTasks(PassTasks tasks) {
        this.tasks = tasks;
        shape = tasks.shape;
        config = tasks.config;
        arrays = tasks.arrays;
        fusion = arrays.fusion.orElseThrow();
    }

    /// Adds the tasks before a draft layer: reduction of captured states, and a projected join.
    void add() {
        var form = config.fusion().orElseThrow();
        var features = fusion.features;
        tasks.graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, fusion.resident());
        tasks.graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, features, fusion.captured);
        if (Weight.CAPTURED_NORM.present(config)) {
            tasks.norm("capturedNorm", fusion.captured, features, LayerOffsets.START,
                    LayerOffsets.CAPTURED_NORM, features, LayerOffsets.NONE, features,
                    LayerOffsets.START, fusion.offsets, form.capturedWidth());
        }
        fusion.reduction.ifPresent(matrix ->
                project("reduction", fusion.captured, matrix, -1, features, fusion.reduced));
        if (shape.fusion().context()) {
            tasks.norm("featureNorm", fusion.captured, fusion.reduced, LayerOffsets.START,
                    LayerOffsets.FEATURE_NORM, fusion.reduced, LayerOffsets.NONE, fusion.tokens,
                    LayerOffsets.START, fusion.offsets, config.hiddenSize());
            return;
        }
        tasks.graph.task(
                tasks.items("feature", shape.maxRows() * config.hiddenSize()),
                FeatureKernels::choose, tasks.context, arrays.pass, fusion.captured, features,
                fusion.reduced, fusion.join.isPresent() ? arrays.middle : arrays.stream,
                config.hiddenSize());
        fusion.join.ifPresent(matrix -> {
            var tokens = fusion.tokens;
            var feature = arrays.middle;
            if (form.has(Switch.EMBEDDING_NORM)) {
                tasks.read("embeddingNorm", tokens, LayerOffsets.START, LayerOffsets.EMBEDDING_NORM,
                        fusion.reduced, fusion.offsets);
                tokens = fusion.reduced;
            }
            if (form.has(Switch.FEATURE_NORM)) {
                tasks.read("featureNorm", feature, LayerOffsets.START, LayerOffsets.FEATURE_NORM,
                        arrays.normed, fusion.offsets);
                feature = arrays.normed;
            }
            boolean tokensFirst = form.join() == FusionConfig.Join.EMBEDDING_FIRST;
            join("halves", tokensFirst, tokens, feature);
            project("join", arrays.pass, matrix, shape.joinBias(), fusion.both, arrays.stream);
        });
    }

    /// Adds the task of a projection.
    ///
    /// @param pass has the number of rows
    /// @param bias start of its biases, or -1
    private void project(
            String task, IntArray pass, StoredMatrix matrix, int bias, FloatArray from,
            FloatArray to) {
        tasks.project(
                task, pass, matrix, LayerOffsets.ofBias(LayerOffsets.JOIN_BIAS, bias), from, from,
                LayerOffsets.NONE, to, LayerOffsets.START, LayerOffsets.NONE, fusion.offsets, 1f,
                0);
    }

    private void join(
            String task, boolean tokensFirst, FloatArray tokens, FloatArray feature) {
        boolean masked = config.fusion().orElseThrow().has(Switch.MASK_FIRST_POSITION);
        tasks.graph.task(
                tasks.items(task, shape.maxRows() * config.hiddenSize()),
                FeatureKernels::joinHalves, tasks.context, arrays.pass,
                tokensFirst ? tokens : feature, tokensFirst ? feature : tokens, fusion.both,
                config.hiddenSize(), masked ? tokensFirst ? 1 : 2 : 0, shape.maxRows());
    }

    /// Adds the tasks of the input of attention that reads the embedding beside the stream.
    void widen(int layer) {
        var offsets = arrays.layers.get(layer).offsets();
        int norm = LayerOffsets.STREAM_NORM;
        tasks.read("embeddingNorm" + layer, fusion.tokens, LayerOffsets.START,
                LayerOffsets.ATTENTION_NORM, fusion.reduced, offsets);
        tasks.read("streamNorm" + layer, arrays.stream, LayerOffsets.STREAM, norm, arrays.normed,
                offsets);
        join("halves" + layer, true, fusion.reduced, arrays.normed);
        // The stream before the first layer is at the start of its array.
        if (layer == 0 && config.fusion().orElseThrow().has(Switch.NORMED_RESIDUAL)) {
            tasks.read("residualNorm", arrays.stream, LayerOffsets.START, norm, arrays.stream,
                    offsets);
        }
    }
}
