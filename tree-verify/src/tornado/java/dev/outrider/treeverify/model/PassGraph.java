package dev.outrider.treeverify.model;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.treeverify.kernels.FeatureKernels;
import dev.outrider.treeverify.kernels.LayerOffsets;
import dev.outrider.treeverify.kernels.Projections;
import dev.outrider.treeverify.kernels.RowKernels;
import dev.outrider.treeverify.kernels.RowKernels.CacheMoves;
import dev.outrider.treeverify.kernels.RowKernels.Embedding;
import dev.outrider.treeverify.kernels.RowKernels.HeadNorms;
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
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// The tasks of a pass: compaction of the cache, embedding; in each layer queries with keys and values, attention, output, gate
/// and up, down, and norms that are not folded; then final norm and head. Before the layers of a draft layer, its features are
/// reduced and joined.
///
/// The pass is one task graph if all kernels fit, otherwise several graphs that are executed one after the other. The shared
/// arrays stay on the device from one graph to the next.
final class PassGraph {
    static final String NAME = "pass";

    private final ProgramShape shape;
    private final DecoderConfig config;
    private final DeviceArrays arrays;
    private final PassTasks tasks;

    PassGraph(ProgramShape shape, DeviceArrays arrays) {
        this.shape = shape;
        this.config = shape.config();
        this.arrays = arrays;
        this.tasks = new PassTasks(shape, arrays);
    }

    /// Returns the number of work items of each task.
    GridScheduler grids() {
        return tasks.grids;
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
            var before = tasks.graph.getTaskGraphName();
            tasks.graph = new TaskGraph(NAME + part);
            if (first) {
                tasks.graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, shared());
                tasks.graph.transferToDevice(
                        DataTransferMode.EVERY_EXECUTION, arrays.pass, arrays.masks);
                begin();
            } else {
                tasks.graph.consumeFromDevice(before, shared());
                tasks.graph.consumeFromDevice(before, arrays.pass, arrays.masks);
            }
            int end = layer + parts.get(part);
            if (IntStream.range(layer, end).anyMatch(config::sparse)) {
                tasks.graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, arrays.ofExperts());
            }
            for (; layer < end; layer++) {
                tasks.graph.transferToDevice(
                        DataTransferMode.FIRST_EXECUTION, arrays.matrices(layer));
                attention(layer);
                feedForward(layer);
            }
            if (last) {
                end();
            } else {
                tasks.graph.persistOnDevice(shared());
                tasks.graph.persistOnDevice(arrays.pass, arrays.masks);
            }
            graphs.add(tasks.graph.snapshot());
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
        tasks.graph.task(
                tasks.items("moves", columns), CacheMoves::compact, tasks.context, arrays.pass,
                arrays.keys, arrays.values, columns, shape.cacheWidth(), shape.cacheRows(),
                shape.maxRows(), shape.maxMoves());
        if (shape.placed()) {
            tasks.graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, arrays.positions);
        }
        tasks.graph.task(
                tasks.items("embed", shape.maxRows() * shape.blocks()), Embedding::embed,
                tasks.context, arrays.pass, arrays.embedding.floats(arrays.norms),
                arrays.embedding.packed(arrays.pass), arrays.embedding.form(), arrays.positions,
                shape.placed() ? 1 : 0,
                arrays.fusion.filter(_ -> !shape.fusion().context()).map(each -> each.tokens)
                        .orElse(arrays.stream),
                arrays.norms, shape.foldsAttentionNorm(0) ? shape.norm(0, 0) : LayerOffsets.NONE,
                arrays.normed, config.hiddenSize(), shape.maxRows(),
                (float) config.form().scales().embedding());
        arrays.fusion.ifPresent(_ -> new FusionTasks(tasks).add());
    }

    private void attention(int layer) {
        var weights = arrays.layers.get(layer);
        boolean results = shape.normsResults();
        int hidden = config.hiddenSize();
        boolean framed = shape.framed(layer);
        var input = framed ? arrays.normed : arrays.stream;
        if (shape.fusion().wide(layer)) {
            new FusionTasks(tasks).widen(layer);
            input = arrays.fusion.orElseThrow().both;
        } else if (framed && !shape.foldsAttentionNorm(layer)) {
            tasks.read(
                    "attentionNorm" + layer, arrays.stream, LayerOffsets.STREAM,
                    LayerOffsets.ATTENTION_NORM, arrays.normed, weights.offsets());
        }
        if (shape.fusion().context()) {
            var fusion = arrays.fusion.orElseThrow();
            queryKeyValue(layer, "context", fusion.captured, fusion.tokens, LayerOffsets.START);
        }
        queryKeyValue(
                layer, "", arrays.pass, input, framed ? LayerOffsets.START : LayerOffsets.STREAM);
        int chunks = shape.keyChunks(layer);
        int window = config.window(layer).orElse(0);
        int attending = TreeAttention.groups(shape.maxRows() * config.heads() * (long) chunks);
        tasks.graph.task(
                tasks.groups("attention" + layer, attending, TreeAttention.LANES),
                TreeAttention::attend, tasks.context, arrays.pass, arrays.masks, arrays.queries,
                arrays.keys, arrays.values, arrays.attended, arrays.chunks, arrays.biases,
                weights.offsets(), config.heads(), config.keyValueHeads(), config.headSize(),
                window, config.scoreScale(), (float) config.form().scores().cap().orElse(0),
                shape.maxRows(), shape.keyChunk(), chunks, attending);
        if (chunks > 1) {
            int reductions = shape.maxRows() * config.heads();
            tasks.graph.task(
                    tasks.groups("reduction" + layer, reductions, TreeAttention.LANES),
                    ChunkReduction::reduce, tasks.context, arrays.pass, arrays.chunks,
                    arrays.attended, config.heads(), config.headSize(), window, shape.maxRows(),
                    shape.keyChunk(), chunks);
        }
        tasks.project(
                "output" + layer, arrays.pass, weights.output(),
                LayerOffsets.ofBias(LayerOffsets.OUTPUT_BIAS, shape.outputBias(layer)),
                arrays.attended, arrays.stream, results ? LayerOffsets.NONE : LayerOffsets.STREAM,
                results ? arrays.normed : arrays.middle, LayerOffsets.START,
                shape.foldsFeedForwardNorm(layer)
                        ? LayerOffsets.FEED_FORWARD_NORM
                        : LayerOffsets.NONE,
                weights.offsets(), tasks.factor(), 0);
        if (results) {
            tasks.norm(
                    "outputNorm" + layer, arrays.pass, arrays.normed, LayerOffsets.START,
                    LayerOffsets.OUTPUT_NORM, arrays.stream, LayerOffsets.STREAM, arrays.middle,
                    LayerOffsets.START, weights.offsets(), hidden);
        }
    }

    /// Adds the tasks that write a layer's queries, and its keys and values in the cache.
    ///
    /// @param rows part of the tasks' names
    /// @param pass has the rows, with their positions and slots
    private void queryKeyValue(
            int layer, String rows, IntArray pass, FloatArray input, int inputIndex) {
        var weights = arrays.layers.get(layer);
        tasks.graph.task(
                tasks.outputs(rows + "queryKeyValue" + layer, shape.queryKeyValueOutputs()),
                Projections::queryKeyValue, tasks.context, pass,
                weights.queryKeyValue().floats(arrays.norms),
                weights.queryKeyValue().packed(arrays.pass), weights.queryKeyValue().form(),
                arrays.biases,
                LayerOffsets.ofBias(
                        LayerOffsets.QUERY_KEY_VALUE_BIAS, shape.queryKeyValueBias(layer)),
                input, inputIndex, arrays.rotations, arrays.queries, arrays.keys, arrays.values,
                weights.offsets(), weights.queryKeyValue().size(), config.heads(),
                config.keyValueHeads(), config.headSize(), shape.rotaryOfProjection(layer),
                tasks.epsilon(shape.foldsAttentionNorm(layer)));
        if (config.queryKeyNorm()) {
            boolean whole = config.form().norms().wholeQueries();
            int norms = shape.maxRows() * (whole ? 2 : config.heads() + config.keyValueHeads());
            tasks.graph.task(
                    tasks.groups(rows + "headNorm" + layer, norms, RowKernels.LANES),
                    HeadNorms::normAndRotate, tasks.context, pass, arrays.headNorms,
                    arrays.rotations, arrays.queries, arrays.keys, weights.offsets(),
                    config.heads(), config.keyValueHeads(), config.headSize(), shape.rotary(layer),
                    whole ? 1 : 0, (float) config.normEpsilon(), shape.maxRows());
        }
    }

    private void feedForward(int layer) {
        var weights = arrays.layers.get(layer);
        boolean parallel = config.form().parallel();
        boolean results = shape.normsResults();
        var before = parallel ? arrays.stream : arrays.middle;
        int beforeIndex = parallel ? LayerOffsets.STREAM : LayerOffsets.START;
        boolean folded = shape.foldsFeedForwardNorm(layer);
        if (shape.framed() && !folded) {
            tasks.read(
                    "feedForwardNorm" + layer, before, beforeIndex, LayerOffsets.FEED_FORWARD_NORM,
                    arrays.normed, weights.offsets());
        }
        if (config.sparse(layer)) {
            new ExpertTasks(tasks).add(layer);
        } else {
            tasks.gateUp(
                    "gateUp" + layer, weights.gateUp(),
                    LayerOffsets.ofBias(LayerOffsets.GATE_UP_BIAS, shape.gateUpBias(layer)),
                    shape.framed() ? arrays.normed : before,
                    shape.framed() ? LayerOffsets.START : beforeIndex, arrays.inner,
                    weights.offsets(), config.intermediateSize(), 0, folded);
            tasks.project(
                    "down" + layer, arrays.pass, weights.down(),
                    LayerOffsets.ofBias(LayerOffsets.DOWN_BIAS, shape.downBias(layer)),
                    arrays.inner, arrays.middle, results ? LayerOffsets.NONE : LayerOffsets.START,
                    results ? arrays.normed : arrays.stream,
                    results ? LayerOffsets.START : LayerOffsets.NEXT_STREAM,
                    shape.foldsAttentionNorm(layer + 1)
                            ? LayerOffsets.NEXT_NORM
                            : LayerOffsets.NONE,
                    weights.offsets(), tasks.factor(), 0);
        }
        if (results) {
            tasks.norm(
                    "downNorm" + layer, arrays.pass, arrays.normed, LayerOffsets.START,
                    LayerOffsets.DOWN_NORM, arrays.middle, LayerOffsets.START, arrays.stream,
                    LayerOffsets.NEXT_STREAM, weights.offsets(), config.hiddenSize());
        }
    }

    private void end() {
        int hidden = config.hiddenSize();
        tasks.graph.transferToDevice(
                DataTransferMode.FIRST_EXECUTION, arrays.logits, arrays.offsetsAfterLayers);
        if (!shape.tiedHead()) {
            tasks.graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, arrays.head.array());
        }
        if (Weight.FINAL_NORM.present(config)) {
            tasks.read(
                    "finalNorm", arrays.stream, LayerOffsets.STREAM, LayerOffsets.ATTENTION_NORM,
                    arrays.normed, arrays.offsetsAfterLayers);
        } else {
            tasks.graph.task(
                    tasks.items("last", shape.maxRows() * hidden), FeatureKernels::copyRows,
                    tasks.context, arrays.pass, arrays.stream,
                    config.layers() * shape.maxRows() * hidden, arrays.normed, hidden);
        }
        tasks.graph.task(
                tasks.outputs("head", shape.logits()), Projections::head, tasks.context,
                arrays.pass, arrays.head.floats(arrays.norms), arrays.head.packed(arrays.pass),
                arrays.head.form(), arrays.normed, arrays.logits, hidden, shape.logits(),
                shape.maxRows(), (float) config.form().scales().head(),
                (float) config.form().scales().logitCap().orElse(0));
        tasks.graph.transferToHost(
                DataTransferMode.UNDER_DEMAND, arrays.logits, arrays.stream, arrays.normed);
    }
}
