package dev.outrider.treeverify.model;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.nn.network.Weight;
import dev.outrider.treeverify.kernels.ExpertKernels;
import dev.outrider.treeverify.kernels.FeatureKernels;
import dev.outrider.treeverify.kernels.LayerOffsets;
import dev.outrider.treeverify.kernels.Projections;
import dev.outrider.treeverify.kernels.RowKernels;
import dev.outrider.treeverify.kernels.RowKernels.CacheMoves;
import dev.outrider.treeverify.kernels.RowKernels.Embedding;
import dev.outrider.treeverify.kernels.RowKernels.HeadNorms;
import dev.outrider.treeverify.kernels.RowKernels.Normalisation;
import dev.outrider.treeverify.kernels.StoredMatrix;
import dev.outrider.treeverify.kernels.TreeAttention;
import dev.outrider.treeverify.kernels.TreeAttention.ChunkReduction;
import dev.outrider.treeverify.pass.GraphParts;
import dev.outrider.treeverify.pass.ProgramShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// The tasks of a pass: compaction of the cache, embedding; in each layer norm, queries with keys and values, attention, output,
/// norm, gate and up, down; then final norm and head. Before the layers of a draft layer, its features are reduced and joined.
///
/// The pass is one task graph if all kernels fit, otherwise several graphs that are executed one after the other. The shared
/// arrays stay on the device from one graph to the next.
final class PassGraph {
    private static final String NAME = "pass";

    private final ProgramShape shape;
    private final DecoderConfig config;
    private final DeviceArrays arrays;
    private final KernelContext context = new KernelContext();
    private final GridScheduler grids = new GridScheduler();
    private TaskGraph graph = new TaskGraph(NAME);

    PassGraph(ProgramShape shape, DeviceArrays arrays) {
        this.shape = shape;
        this.config = shape.config();
        this.arrays = arrays;
    }

    /// Returns the number of work items of each task.
    GridScheduler grids() {
        return grids;
    }

    /// Returns the graphs, in the order of execution.
    ///
    /// @param mostLayers maximum layers of one graph
    List<ImmutableTaskGraph> build(int mostLayers) {
        var parts = GraphParts.of(shape, mostLayers);
        var graphs = new ArrayList<ImmutableTaskGraph>();
        int layer = 0;
        for (int part = 0; part < parts.size(); part++) {
            boolean first = part == 0;
            boolean last = part == parts.size() - 1;
            var before = graph.getTaskGraphName();
            graph = new TaskGraph(NAME + part);
            if (first) {
                graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, shared());
                graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, arrays.pass, arrays.masks);
                begin();
            } else {
                graph.consumeFromDevice(before, shared());
                graph.consumeFromDevice(before, arrays.pass, arrays.masks);
            }
            int end = layer + parts.get(part);
            if (IntStream.range(layer, end).anyMatch(config::sparse)) {
                graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, arrays.ofExperts());
            }
            for (; layer < end; layer++) {
                graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, arrays.matrices(layer));
                attention(layer);
                feedForward(layer);
            }
            if (last) {
                end();
            } else {
                graph.persistOnDevice(shared());
                graph.persistOnDevice(arrays.pass, arrays.masks);
            }
            graphs.add(graph.snapshot());
        }
        return graphs;
    }

    /// Returns the arrays that stay on the device from graph to graph. Every graph must use them, because TornadoVM does not keep
    /// unused arrays for the next graph.
    private Object[] shared() {
        var arraysOfAll = Arrays.stream(arrays.ofAllLayers());
        return config.queryKeyNorm()
                ? Stream.concat(arraysOfAll, Stream.of(arrays.headNorms)).toArray()
                : arraysOfAll.toArray();
    }

    private void begin() {
        int columns = config.layers() * shape.cacheWidth();
        graph.task(
                items("moves", columns),
                CacheMoves::compact,
                context,
                arrays.pass,
                arrays.keys,
                arrays.values,
                columns,
                shape.cacheWidth(),
                shape.cacheRows(),
                shape.maxRows(),
                shape.maxMoves());
        if (shape.placed()) {
            graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, arrays.positions);
        }
        graph.task(
                items("embed", shape.maxRows() * config.hiddenSize()),
                Embedding::embed,
                context,
                arrays.pass,
                arrays.embedding.floats(arrays.norms),
                arrays.embedding.packed(arrays.pass),
                arrays.embedding.form(),
                arrays.positions,
                shape.placed() ? 1 : 0,
                arrays.fusion.map(each -> each.tokens).orElse(arrays.stream),
                config.hiddenSize(),
                shape.maxRows(),
                (float) config.form().scales().embedding());
        arrays.fusion.ifPresent(this::fuse);
    }

    /// Adds the tasks before a draft layer: reduction of captured states, and a projected join.
    private void fuse(FusionArrays fusion) {
        var form = config.fusion().orElseThrow();
        var features = fusion.features;
        graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, fusion.resident());
        graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, features, fusion.captured);
        if (Weight.CAPTURED_NORM.present(config)) {
            norm("capturedNorm", fusion.captured, features, LayerOffsets.START,
                    LayerOffsets.CAPTURED_NORM, features, LayerOffsets.NONE, features,
                    LayerOffsets.START, fusion.offsets, form.capturedWidth());
        }
        fusion.reduction.ifPresent(matrix ->
                project("reduction", fusion.captured, matrix, -1, features, fusion.reduced));
        graph.task(
                items("feature", shape.maxRows() * config.hiddenSize()),
                FeatureKernels::choose,
                context, arrays.pass, fusion.captured, features, fusion.reduced,
                fusion.join.isPresent() ? arrays.middle : arrays.stream, config.hiddenSize());
        fusion.join.ifPresent(matrix -> {
            var tokens = fusion.tokens;
            var feature = arrays.middle;
            if (form.has(Switch.EMBEDDING_NORM)) {
                read("embeddingNorm", tokens, LayerOffsets.START, LayerOffsets.EMBEDDING_NORM,
                        fusion.reduced, fusion.offsets);
                tokens = fusion.reduced;
            }
            if (form.has(Switch.FEATURE_NORM)) {
                read("featureNorm", feature, LayerOffsets.START, LayerOffsets.FEATURE_NORM,
                        arrays.normed, fusion.offsets);
                feature = arrays.normed;
            }
            boolean tokensFirst = form.join() == FusionConfig.Join.EMBEDDING_FIRST;
            join("halves", fusion, tokensFirst, tokens, feature);
            project("join", arrays.pass, matrix, shape.joinBias(), fusion.both, arrays.stream);
        });
    }

    /// Adds the task of a projection before the layers.
    ///
    /// @param pass has the number of rows
    /// @param bias start of its biases, or -1
    private void project(
            String task, IntArray pass, StoredMatrix matrix, int bias, FloatArray from,
            FloatArray to) {
        graph.task(
                outputs(task, matrix.rows()),
                Projections::residual,
                context, pass, matrix.floats(arrays.norms), matrix.packed(arrays.pass),
                matrix.form(), arrays.biases, LayerOffsets.ofBias(LayerOffsets.JOIN_BIAS, bias),
                from, from, LayerOffsets.NONE, to, LayerOffsets.START,
                arrays.fusion.orElseThrow().offsets, matrix.size(), matrix.rows(), 1f, 0,
                shape.maxRows());
    }

    private void join(
            String task, FusionArrays fusion, boolean tokensFirst, FloatArray tokens,
            FloatArray feature) {
        boolean masked = config.fusion().orElseThrow().has(Switch.MASK_FIRST_POSITION);
        graph.task(
                items(task, shape.maxRows() * config.hiddenSize()),
                FeatureKernels::joinHalves,
                context, arrays.pass, tokensFirst ? tokens : feature,
                tokensFirst ? feature : tokens, fusion.both, config.hiddenSize(),
                masked ? tokensFirst ? 1 : 2 : 0, shape.maxRows());
    }

    /// Adds the tasks of the input of attention that reads the embedding beside the stream.
    private void widen(int layer, FusionArrays fusion, IntArray offsets) {
        int norm = LayerOffsets.STREAM_NORM;
        read("embeddingNorm" + layer, fusion.tokens, LayerOffsets.START,
                LayerOffsets.ATTENTION_NORM, fusion.reduced, offsets);
        read("streamNorm" + layer, arrays.stream, LayerOffsets.STREAM, norm, arrays.normed,
                offsets);
        join("halves" + layer, fusion, true, fusion.reduced, arrays.normed);
        // The stream before the first layer is at the start of its array.
        if (layer == 0 && config.fusion().orElseThrow().has(Switch.NORMED_RESIDUAL)) {
            read("residualNorm", arrays.stream, LayerOffsets.START, norm, arrays.stream, offsets);
        }
    }

    private void attention(int layer) {
        var weights = arrays.layers.get(layer);
        boolean results = shape.normsResults();
        int hidden = config.hiddenSize();
        boolean framed = shape.framed(layer);
        var input = framed ? arrays.normed : arrays.stream;
        if (shape.fusion().wide(layer)) {
            var fusion = arrays.fusion.orElseThrow();
            widen(layer, fusion, weights.offsets());
            input = fusion.both;
        } else if (framed) {
            read(
                    "attentionNorm" + layer,
                    arrays.stream,
                    LayerOffsets.STREAM,
                    LayerOffsets.ATTENTION_NORM,
                    arrays.normed,
                    weights.offsets());
        }
        graph.task(
                outputs("queryKeyValue" + layer, shape.queryKeyValueOutputs()),
                Projections::queryKeyValue,
                context,
                arrays.pass,
                weights.queryKeyValue().floats(arrays.norms),
                weights.queryKeyValue().packed(arrays.pass),
                weights.queryKeyValue().form(),
                arrays.biases,
                LayerOffsets.ofBias(
                        LayerOffsets.QUERY_KEY_VALUE_BIAS, shape.queryKeyValueBias(layer)),
                input,
                framed ? LayerOffsets.START : LayerOffsets.STREAM,
                arrays.rotations,
                arrays.queries,
                arrays.keys,
                arrays.values,
                weights.offsets(),
                weights.queryKeyValue().size(),
                config.heads(),
                config.keyValueHeads(),
                config.headSize(),
                shape.rotaryOfProjection(layer),
                shape.maxRows());
        if (config.queryKeyNorm()) {
            boolean whole = config.form().norms().wholeQueries();
            graph.task(
                    groups(
                            "headNorm" + layer,
                            shape.maxRows()
                                    * (whole ? 2 : config.heads() + config.keyValueHeads()),
                            RowKernels.LANES),
                    HeadNorms::normAndRotate,
                    context,
                    arrays.pass,
                    arrays.headNorms,
                    arrays.rotations,
                    arrays.queries,
                    arrays.keys,
                    weights.offsets(),
                    config.heads(),
                    config.keyValueHeads(),
                    config.headSize(),
                    shape.rotary(layer),
                    whole ? 1 : 0,
                    (float) config.normEpsilon(),
                    shape.maxRows());
        }
        int chunks = shape.keyChunks(layer);
        int window = config.window(layer).orElse(0);
        int attending = TreeAttention.groups(shape.maxRows() * config.heads() * (long) chunks);
        graph.task(
                groups("attention" + layer, attending, TreeAttention.LANES), TreeAttention::attend,
                context, arrays.pass, arrays.masks, arrays.queries, arrays.keys, arrays.values,
                arrays.attended, arrays.chunks, weights.offsets(), config.heads(),
                config.keyValueHeads(), config.headSize(), window, config.scoreScale(),
                (float) config.form().scores().cap().orElse(0), shape.maxRows(), shape.maskWords(),
                shape.keyChunk(), chunks, attending);
        if (chunks > 1) {
            graph.task(
                    groups(
                            "reduction" + layer,
                            shape.maxRows() * config.heads(),
                            TreeAttention.LANES),
                    ChunkReduction::reduce,
                    context,
                    arrays.pass,
                    arrays.chunks,
                    arrays.attended,
                    config.heads(),
                    config.headSize(),
                    window,
                    shape.maxRows(),
                    shape.keyChunk(),
                    chunks);
        }
        project(
                "output" + layer, weights.output(),
                LayerOffsets.ofBias(LayerOffsets.OUTPUT_BIAS, shape.outputBias(layer)),
                arrays.attended, arrays.stream, results ? LayerOffsets.NONE : LayerOffsets.STREAM,
                results ? arrays.normed : arrays.middle, LayerOffsets.START, weights.offsets(),
                factor(), 0);
        if (results) {
            norm(
                    "outputNorm" + layer,
                    arrays.pass,
                    arrays.normed,
                    LayerOffsets.START,
                    LayerOffsets.OUTPUT_NORM,
                    arrays.stream,
                    LayerOffsets.STREAM,
                    arrays.middle,
                    LayerOffsets.START,
                    weights.offsets(),
                    hidden);
        }
    }

    /// Returns the factor of results before they are added; 1 if their norms contain it.
    private float factor() {
        return shape.normsResults() ? 1 : (float) config.form().scales().residual();
    }

    /// Adds the task of a norm of a block's input.
    private void read(
            String task, FloatArray from, int fromIndex, int norm, FloatArray to,
            IntArray offsets) {
        norm(
                task,
                arrays.pass,
                from,
                fromIndex,
                norm,
                from,
                LayerOffsets.NONE,
                to,
                LayerOffsets.START,
                offsets,
                config.hiddenSize());
    }

    /// @param pass has the number of rows
    /// @param size width of a row
    private void norm(
            String task, IntArray pass, FloatArray from, int fromIndex, int norm,
            FloatArray added, int addedIndex, FloatArray to, int toIndex, IntArray offsets,
            int size) {
        graph.task(
                groups(task, shape.maxRows(), Normalisation.LANES),
                Normalisation::normalise,
                context,
                pass,
                from,
                fromIndex,
                arrays.norms,
                norm,
                added,
                addedIndex,
                to,
                toIndex,
                offsets,
                size,
                (float) config.normEpsilon(),
                shape.centred() ? 1 : 0);
    }

    private void feedForward(int layer) {
        var weights = arrays.layers.get(layer);
        boolean parallel = config.form().parallel();
        boolean results = shape.normsResults();
        var before = parallel ? arrays.stream : arrays.middle;
        int beforeIndex = parallel ? LayerOffsets.STREAM : LayerOffsets.START;
        if (shape.framed()) {
            read(
                    "feedForwardNorm" + layer,
                    before,
                    beforeIndex,
                    LayerOffsets.FEED_FORWARD_NORM,
                    arrays.normed,
                    weights.offsets());
        }
        if (config.sparse(layer)) {
            experts(layer);
        } else {
            gateUp(
                    "gateUp" + layer, weights.gateUp(),
                    LayerOffsets.ofBias(LayerOffsets.GATE_UP_BIAS, shape.gateUpBias(layer)),
                    shape.framed() ? arrays.normed : before,
                    shape.framed() ? LayerOffsets.START : beforeIndex, arrays.inner,
                    weights.offsets(), config.intermediateSize(), 0);
            project(
                    "down" + layer, weights.down(),
                    LayerOffsets.ofBias(LayerOffsets.DOWN_BIAS, shape.downBias(layer)),
                    arrays.inner, arrays.middle, results ? LayerOffsets.NONE : LayerOffsets.START,
                    results ? arrays.normed : arrays.stream,
                    results ? LayerOffsets.START : LayerOffsets.NEXT_STREAM, weights.offsets(),
                    factor(), 0);
        }
        if (results) {
            norm(
                    "downNorm" + layer,
                    arrays.pass,
                    arrays.normed,
                    LayerOffsets.START,
                    LayerOffsets.DOWN_NORM,
                    arrays.middle,
                    LayerOffsets.START,
                    arrays.stream,
                    LayerOffsets.NEXT_STREAM,
                    weights.offsets(),
                    config.hiddenSize());
        }
    }

    /// Adds the tasks of a layer's experts. They read normed rows, which a shared expert's results replace.
    private void experts(int layer) {
        var weights = arrays.layers.get(layer);
        var experts = shape.experts().form().orElseThrow();
        var offsets = weights.offsets();
        var normed = arrays.normed;
        int none = LayerOffsets.NONE;
        int start = LayerOffsets.START;
        int count = experts.count();
        int chosen = experts.chosen();
        int rows = shape.maxRows();
        int shared = shape.experts().sharedSize();
        project(
                "router" + layer, weights.routing().getFirst(), none, normed, normed, none,
                arrays.scores, start, offsets, 1f, 0);
        graph.task(
                groups("choice" + layer, rows, ExpertKernels.LANES), ExpertKernels::choose,
                context, arrays.pass, arrays.scores, arrays.choices, arrays.factors,
                shape.experts().scores(), count, chosen, experts.normalised() ? 1 : 0, rows);
        graph.task(
                items("lists" + layer, count), ExpertKernels::list,
                context, arrays.pass, arrays.choices, count, chosen, rows);
        gateUp(
                "expertGateUp" + layer, weights.gateUp(), none, normed, start,
                arrays.expertInner, offsets, experts.intermediateSize(), count);
        project(
                "expertDown" + layer, weights.down(), none, arrays.expertInner, arrays.factors,
                none, arrays.made, start, offsets, 1f, count);
        if (shared > 0) {
            gateUp(
                    "sharedGateUp" + layer, weights.routing().get(1), none, normed, start,
                    arrays.inner, offsets, shared, 0);
            project(
                    "sharedDown" + layer, weights.routing().get(2), none, arrays.inner, normed,
                    none, normed, start, offsets, 1f, 0);
        }
        boolean results = shape.normsResults();
        graph.task(
                items("sum" + layer, rows * config.hiddenSize()), ExpertKernels::addUp,
                context, arrays.pass, arrays.made, shared > 0 ? normed : arrays.middle,
                arrays.scores, shape.experts().scores(), count, arrays.middle, results ? none : start,
                results ? normed : arrays.stream, results ? start : LayerOffsets.NEXT_STREAM,
                offsets, config.hiddenSize(), chosen, factor());
    }

    /// Adds the task of gate and up, or of up alone; with experts, of all that rows chose.
    private void gateUp(
            String task, StoredMatrix matrix, int bias, FloatArray from, int fromIndex,
            FloatArray to, IntArray offsets, int inner, int experts) {
        graph.task(
                outputs(task, matrix.rows()),
                config.form().feedForward().gated() ? Projections::gateUp : Projections::up,
                context, experts > 0 ? arrays.choices : arrays.pass, matrix.floats(arrays.norms),
                matrix.packed(arrays.pass), matrix.form(), arrays.biases, bias, from, fromIndex, to,
                offsets, matrix.size(), inner, config.form().feedForward().activation().ordinal(),
                experts, shape.maxRows());
    }

    /// Adds the task of a projection; with experts, of all that rows chose.
    private void project(
            String task, StoredMatrix matrix, int bias, FloatArray from, FloatArray stream,
            int streamIndex, FloatArray to, int toIndex, IntArray offsets, float factor,
            int experts) {
        graph.task(
                outputs(task, matrix.rows()), Projections::residual, context,
                experts > 0 ? arrays.choices : arrays.pass, matrix.floats(arrays.norms),
                matrix.packed(arrays.pass), matrix.form(), arrays.biases, bias, from, stream,
                streamIndex, to, toIndex, offsets, matrix.size(),
                experts > 0 ? config.hiddenSize() : matrix.rows(), factor, experts,
                shape.maxRows());
    }

    private void end() {
        int hidden = config.hiddenSize();
        graph.transferToDevice(
                DataTransferMode.FIRST_EXECUTION, arrays.logits, arrays.offsetsAfterLayers);
        if (!shape.tiedHead()) {
            graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, arrays.head.array());
        }
        if (Weight.FINAL_NORM.present(config)) {
            read(
                    "finalNorm",
                    arrays.stream,
                    LayerOffsets.STREAM,
                    LayerOffsets.ATTENTION_NORM,
                    arrays.normed,
                    arrays.offsetsAfterLayers);
        } else {
            graph.task(
                    items("last", shape.maxRows() * hidden),
                    FeatureKernels::copyRows,
                    context, arrays.pass, arrays.stream,
                    config.layers() * shape.maxRows() * hidden, arrays.normed, hidden);
        }
        graph.task(
                outputs("head", shape.logits()),
                Projections::head,
                context,
                arrays.pass,
                arrays.head.floats(arrays.norms),
                arrays.head.packed(arrays.pass),
                arrays.head.form(),
                arrays.normed,
                arrays.logits,
                hidden,
                shape.logits(),
                shape.maxRows(),
                (float) config.form().scales().head(),
                (float) config.form().scales().logitCap().orElse(0));
        graph.transferToHost(
                DataTransferMode.UNDER_DEMAND, arrays.logits, arrays.stream, arrays.normed);
    }

    /// Registers a projection with a number of outputs and returns its name.
    private String outputs(String task, int outputs) {
        return groups(task, Math.ceilDiv(outputs, Projections.TILE), Projections.LANES);
    }

    /// Registers a task with a number of groups, and of work items in each, and returns its name.
    private String groups(String task, int groups, int lanes) {
        var grid = new WorkerGrid1D(groups * lanes);
        grid.setLocalWork(lanes, 1, 1);
        grids.addWorkerGrid(graph.getTaskGraphName() + "." + task, grid);
        return task;
    }

    /// Registers a task with a minimum number of work items and returns its name.
    private String items(String task, int items) {
        return groups(task, Math.ceilDiv(items, RowKernels.LANES), RowKernels.LANES);
    }
}
