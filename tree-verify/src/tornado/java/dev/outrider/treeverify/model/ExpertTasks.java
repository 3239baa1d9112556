package dev.outrider.treeverify.model;

import dev.outrider.treeverify.kernels.ExpertKernels;
import dev.outrider.treeverify.kernels.LayerOffsets;

/// The tasks of a layer's experts.
///
/// @param tasks of the pass
record ExpertTasks(PassTasks tasks) {
    /// Adds the tasks of a layer's experts. They read normed rows, which a shared expert's results replace. The inner rows of a pass
    /// are an argument without a shared expert too, because every graph must use them ([PassGraph]).
    void add(int layer) {
        var arrays = tasks.arrays;
        var shape = tasks.shape;
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
        tasks.project(
                "router" + layer, arrays.pass, weights.routing().getFirst(),
                LayerOffsets.ofBias(LayerOffsets.ROUTER_BIAS, shape.routerBias(layer)), normed,
                normed, none, arrays.scores, start, none, offsets, 1f, 0);
        tasks.graph.task(
                tasks.groups("choice" + layer, rows, ExpertKernels.LANES), ExpertKernels::choose,
                tasks.context, arrays.pass, arrays.scores, arrays.choices, arrays.factors,
                shape.experts().scores(), count, chosen, experts.normalised() ? 1 : 0, rows);
        tasks.graph.task(
                tasks.items("lists" + layer, count), ExpertKernels::list, tasks.context,
                arrays.pass, arrays.choices, count, chosen, rows);
        tasks.gateUp(
                "expertGateUp" + layer, weights.gateUp(),
                LayerOffsets.ofBias(LayerOffsets.GATE_UP_BIAS, shape.gateUpBias(layer)), normed,
                start, arrays.expertInner, offsets, experts.intermediateSize(), count, false);
        tasks.project(
                "expertDown" + layer, arrays.choices, weights.down(),
                LayerOffsets.ofBias(LayerOffsets.DOWN_BIAS, shape.downBias(layer)),
                arrays.expertInner, arrays.factors, none, arrays.made, start, none, offsets, 1f,
                count);
        if (shared > 0) {
            tasks.gateUp(
                    "sharedGateUp" + layer, weights.routing().get(1), none, normed, start,
                    arrays.inner, offsets, shared, 0, false);
            tasks.project(
                    "sharedDown" + layer, arrays.pass, weights.routing().get(2), none, arrays.inner,
                    normed, none, normed, start, none, offsets, 1f, 0);
        }
        boolean results = shape.normsResults();
        tasks.graph.task(
                tasks.items("sum" + layer, rows * tasks.config.hiddenSize()), ExpertKernels::addUp,
                tasks.context, arrays.pass, arrays.made, shared > 0 ? normed : arrays.inner,
                arrays.scores, shape.experts().scores(), count, arrays.middle,
                results ? none : start, results ? normed : arrays.stream,
                results ? start : LayerOffsets.NEXT_STREAM, offsets, tasks.config.hiddenSize(),
                chosen, tasks.factor());
    }
}
