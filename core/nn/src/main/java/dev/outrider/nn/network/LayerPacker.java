package dev.outrider.nn.network;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.network.ScriptText.Slot;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorOps;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TorchValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The weights of one layer in the order of [ScriptText.Slot].
record LayerPacker(WeightPacker packer, int layer) {
    /// `List[Tensor]`; the caller closes it.
    TorchValue weights() {
        try (var scratch = TensorRuntime.newManager()) {
            return TorchValue.ofTensors(
                    Stream.concat(
                                    Stream.of(Slot.values()).map(slot -> slot(slot, scratch)),
                                    experts(scratch))
                            .toList());
        }
    }

    private Stream<Tensor> experts(PtNDManager scratch) {
        int first = Weight.EXPERT_GATE.first(config(), layer);
        int end = config().sparse(layer) ? Weight.EXPERT_GATE.first(config(), layer + 1) : first;
        return IntStream.range(first, end)
                .boxed()
                .flatMap(number ->
                        Stream.concat(
                                Stream.of(
                                        packer.matrix(
                                                number,
                                                scratch,
                                                Weight.EXPERT_GATE,
                                                Weight.EXPERT_UP),
                                        packer.matrix(number, scratch, Weight.EXPERT_DOWN)),
                                biases(number, scratch)));
    }

    private Stream<Tensor> biases(int expert, PtNDManager scratch) {
        return Weight.EXPERT_DOWN_BIAS.present(config(), expert)
                ? Stream.of(
                        packer.joined(
                                expert, scratch, Weight.EXPERT_GATE_BIAS, Weight.EXPERT_UP_BIAS),
                        packer.joined(expert, scratch, Weight.EXPERT_DOWN_BIAS))
                : Stream.empty();
    }

    private Tensor slot(Slot slot, PtNDManager scratch) {
        return switch (slot) {
            case INPUT_NORM -> joined(scratch, Weight.INPUT_NORM);
            case INPUT_NORM_BIAS -> joined(scratch, Weight.INPUT_NORM_BIAS);
            case QUERY_KEY_VALUE ->
                    packer.packed(
                            queryKeyValue(scratch, Weight.QUERY, Weight.KEY, Weight.VALUE),
                            scratch);
            case QUERY_KEY_VALUE_BIAS ->
                    config().queryKeyValueBias()
                            ? queryKeyValue(
                                    scratch, Weight.QUERY_BIAS, Weight.KEY_BIAS, Weight.VALUE_BIAS)
                            : packer.none(scratch);
            case QUERY_KEY_NORM -> headNorms(scratch);
            case OUTPUT -> matrix(scratch, Weight.OUTPUT);
            case OUTPUT_BIAS -> joined(scratch, Weight.OUTPUT_BIAS);
            case OUTPUT_NORM -> joined(scratch, Weight.OUTPUT_NORM);
            case DOWN_NORM -> joined(scratch, Weight.DOWN_NORM);
            case STREAM_NORM -> joined(scratch, Weight.STREAM_NORM);
            case CROSS_NORM -> joined(scratch, Weight.CROSS_NORM);
            case CROSS_NORM_BIAS -> joined(scratch, Weight.CROSS_NORM_BIAS);
            case CROSS_QUERY -> matrix(scratch, Weight.CROSS_QUERY);
            case CROSS_QUERY_BIAS -> joined(scratch, Weight.CROSS_QUERY_BIAS);
            case CROSS_KEY_VALUE -> matrix(scratch, Weight.CROSS_KEY, Weight.CROSS_VALUE);
            case CROSS_KEY_VALUE_BIAS ->
                    joined(scratch, Weight.CROSS_KEY_BIAS, Weight.CROSS_VALUE_BIAS);
            case CROSS_OUTPUT -> matrix(scratch, Weight.CROSS_OUTPUT);
            case CROSS_OUTPUT_BIAS -> joined(scratch, Weight.CROSS_OUTPUT_BIAS);
            case FEED_FORWARD_NORM -> joined(scratch, Weight.FEED_FORWARD_NORM);
            case FEED_FORWARD_NORM_BIAS -> joined(scratch, Weight.FEED_FORWARD_NORM_BIAS);
            case GATE_UP ->
                    config().form().feedForward().gated()
                            ? matrix(scratch, Weight.GATE, Weight.UP)
                            : matrix(scratch, Weight.UP);
            case GATE_UP_BIAS ->
                    config().form().feedForward().gated()
                            ? joined(scratch, Weight.GATE_BIAS, Weight.UP_BIAS)
                            : joined(scratch, Weight.UP_BIAS);
            case DOWN -> matrix(scratch, Weight.DOWN);
            case DOWN_BIAS -> joined(scratch, Weight.DOWN_BIAS);
            case ROUTER -> joined(scratch, Weight.ROUTER);
            case SHARED_GATE_UP -> matrix(scratch, Weight.SHARED_GATE, Weight.SHARED_UP);
            case SHARED_DOWN -> matrix(scratch, Weight.SHARED_DOWN);
            case SHARED_EXPERT_GATE -> joined(scratch, Weight.SHARED_EXPERT_GATE);
            case ROUTER_BIAS -> joined(scratch, Weight.ROUTER_BIAS);
            case SINKS -> joined(scratch, Weight.SINKS);
        };
    }

    /// Queries, keys, values and, where queries are gated, the gates, which files keep head by head beside the
    /// queries.
    private Tensor queryKeyValue(PtNDManager scratch, Weight query, Weight key, Weight value) {
        if (config().fusion().filter(each -> each.has(FusionConfig.Switch.GATED_QUERIES)).isEmpty()) {
            return joined(scratch, query, key, value);
        }
        var doubled = packer.load(query, layer, scratch);
        return TensorOps.get()
                .concatenate(
                        List.of(
                                half(doubled, 0, scratch),
                                packer.load(key, layer, scratch),
                                packer.load(value, layer, scratch),
                                half(doubled, 1, scratch)),
                        scratch);
    }

    private Tensor half(Tensor doubled, int which, PtNDManager scratch) {
        long[] shape = doubled.shape().clone();
        long columns = shape.length == 1 ? 1 : shape[1];
        shape[0] /= 2;
        var heads =
                TensorOps.get()
                        .reshape(
                                doubled,
                                scratch,
                                config().heads(),
                                2,
                                config().headSize() * columns);
        return TensorOps.get()
                .reshape(TensorOps.get().select(heads, 1, which, scratch), scratch, shape);
    }

    /// The query norm once per query head, then the key norm once per key-value head: `[H + K, h]`.
    private Tensor headNorms(PtNDManager scratch) {
        if (!config().queryKeyNorm()) {
            return packer.none(scratch);
        }
        var query = packer.load(Weight.QUERY_NORM, layer, scratch);
        var key = packer.load(Weight.KEY_NORM, layer, scratch);
        if (config().form().norms().wholeQueries()) {
            return TensorOps.get()
                    .reshape(
                            TensorOps.get().concatenate(List.of(query, key), scratch),
                            scratch,
                            config().heads() + config().keyValueHeads(),
                            config().headSize());
        }
        var rows = new ArrayList<Tensor>();
        for (int head = 0; head < config().heads() + config().keyValueHeads(); head++) {
            rows.add(head < config().heads() ? query : key);
        }
        return TensorOps.get()
                .reshape(
                        TensorOps.get().concatenate(rows, scratch),
                        scratch,
                        rows.size(),
                        config().headSize());
    }

    private Tensor joined(PtNDManager scratch, Weight... parts) {
        return packer.joined(layer, scratch, parts);
    }

    private Tensor matrix(PtNDManager scratch, Weight... parts) {
        return packer.matrix(layer, scratch, parts);
    }

    private DecoderConfig config() {
        return packer.config();
    }
}
