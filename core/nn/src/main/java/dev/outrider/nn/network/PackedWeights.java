package dev.outrider.nn.network;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.PrepackedLinear;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorOps;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TorchValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A decoder's weights as [DecoderScript] wants them: projections joined, matrices prepacked where that pays.
/// While loading, one layer at a time is held twice.
final class PackedWeights implements AutoCloseable {
    private final TorchValue layers;
    private final TorchValue shared;

    private PackedWeights(TorchValue layers, TorchValue shared) {
        this.layers = layers;
        this.shared = shared;
    }

    static PackedWeights load(DecoderConfig config, WeightSource source, LinearKind kind) {
        return load(config, source, kind, Optional.empty());
    }

    /// @param lender for a draft layer that has no embedding or head of its own: whose it reads
    static PackedWeights load(
            DecoderConfig config,
            WeightSource source,
            LinearKind kind,
            Optional<BorrowedWeights> lender) {
        var loader = new Loader(config, source, kind, lender);
        var shared = loader.shared();
        var layers = new ArrayList<TorchValue>();
        for (int layer = 0; layer < config.layers(); layer++) {
            layers.add(loader.layer(layer));
        }
        var list = TorchValue.ofList(layers);
        layers.forEach(TorchValue::close);
        return new PackedWeights(list, shared);
    }

    /// `List[List[Tensor]]`: per layer the weights in the order of [ScriptText.Slot].
    TorchValue layers() {
        return layers;
    }

    /// `List[Tensor]`: the weights outside the layers in the order of [ScriptText.Shared].
    TorchValue shared() {
        return shared;
    }

    @Override
    public void close() {
        layers.close();
        shared.close();
    }

    private record Loader(
            DecoderConfig config,
            WeightSource source,
            LinearKind kind,
            Optional<BorrowedWeights> lender) {
        TorchValue shared() {
            try (var scratch = TensorRuntime.newManager()) {
                var none = TensorOps.get().zeros(kind.type(), scratch, 0);
                var embedding =
                        Weight.EMBEDDING.present(config)
                                ? load(Weight.EMBEDDING, 0, scratch)
                                : borrowed().embedding(kind, scratch);
                var rope = RopeTable.of(config, config.maxPositions());
                return TorchValue.ofTensors(
                        Stream.of(ScriptText.Shared.values())
                                .map(slot -> shared(slot, embedding, rope, none, scratch))
                                .toList());
            }
        }

        private Tensor shared(
                ScriptText.Shared slot,
                Tensor embedding,
                RopeTable rope,
                Tensor none,
                PtNDManager scratch) {
            return switch (slot) {
                case EMBEDDING -> embedding;
                case FINAL_NORM -> joined(0, none, scratch, Weight.FINAL_NORM);
                case HEAD -> head(embedding, scratch);
                case COSINES -> table(rope.headCosines(), scratch);
                case SIGNED_SINES -> table(rope.headSignedSines(), scratch);
                case JOIN -> matrix(none, scratch, Weight.JOIN);
                case JOIN_BIAS -> joined(0, none, scratch, Weight.JOIN_BIAS);
                case REDUCTION -> matrix(none, scratch, Weight.REDUCTION);
                case CAPTURED_NORM -> joined(0, none, scratch, Weight.CAPTURED_NORM);
                case EMBEDDING_NORM -> joined(0, none, scratch, Weight.EMBEDDING_NORM);
                case FEATURE_NORM -> joined(0, none, scratch, Weight.FEATURE_NORM);
            };
        }

        private Tensor head(Tensor embedding, PtNDManager scratch) {
            boolean own = Weight.HEAD.present(config);
            if (!own && config.fusion().isPresent()) {
                return borrowed().head(kind, scratch);
            }
            var head = own ? load(Weight.HEAD, 0, scratch) : embedding;
            return kind.headPrepacked() ? PrepackedLinear.pack(head, scratch) : head;
        }

        private BorrowedWeights borrowed() {
            return lender.orElseThrow(() ->
                    new IllegalArgumentException(
                            "a draft layer without embedding or head needs a target to borrow them"
                                    + " from"));
        }

        private Tensor matrix(Tensor none, PtNDManager scratch, Weight weight) {
            return weight.present(config) ? matrix(0, scratch, weight) : none;
        }

        TorchValue layer(int layer) {
            try (var scratch = TensorRuntime.newManager()) {
                var none = TensorOps.get().zeros(kind.type(), scratch, 0);
                var slots =
                        Stream.of(ScriptText.Slot.values())
                                .map(slot -> slot(slot, layer, none, scratch))
                                .toList();
                return TorchValue.ofTensors(slots);
            }
        }

        private Tensor slot(ScriptText.Slot slot, int layer, Tensor none, PtNDManager scratch) {
            return switch (slot) {
                case INPUT_NORM -> joined(layer, none, scratch, Weight.INPUT_NORM);
                case QUERY_KEY_VALUE ->
                        packed(
                                queryKeyValue(
                                        layer, scratch, Weight.QUERY, Weight.KEY, Weight.VALUE),
                                scratch);
                case OUTPUT -> matrix(layer, scratch, Weight.OUTPUT);
                case FEED_FORWARD_NORM -> load(Weight.FEED_FORWARD_NORM, layer, scratch);
                case GATE_UP -> matrix(layer, scratch, Weight.GATE, Weight.UP);
                case DOWN -> matrix(layer, scratch, Weight.DOWN);
                case QUERY_KEY_VALUE_BIAS ->
                        config.queryKeyValueBias()
                                ? queryKeyValue(
                                        layer,
                                        scratch,
                                        Weight.QUERY_BIAS,
                                        Weight.KEY_BIAS,
                                        Weight.VALUE_BIAS)
                                : none;
                case OUTPUT_BIAS -> joined(layer, none, scratch, Weight.OUTPUT_BIAS);
                case GATE_UP_BIAS -> joined(layer, none, scratch, Weight.GATE_BIAS, Weight.UP_BIAS);
                case DOWN_BIAS -> joined(layer, none, scratch, Weight.DOWN_BIAS);
                case QUERY_KEY_NORM -> headNorms(layer, none, scratch);
                case STREAM_NORM -> joined(layer, none, scratch, Weight.STREAM_NORM);
            };
        }

        /// Queries, keys, values and, where queries are gated, the gates, which files keep head by head beside the
        /// queries.
        private Tensor queryKeyValue(
                int layer, PtNDManager scratch, Weight query, Weight key, Weight value) {
            if (config.fusion().filter(FusionConfig::gatedQueries).isEmpty()) {
                return joined(layer, scratch, query, key, value);
            }
            var doubled = load(query, layer, scratch);
            return TensorOps.get()
                    .concatenate(
                            List.of(
                                    half(doubled, 0, scratch),
                                    load(key, layer, scratch),
                                    load(value, layer, scratch),
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
                                    config.heads(),
                                    2,
                                    config.headSize() * columns);
            return TensorOps.get()
                    .reshape(TensorOps.get().select(heads, 1, which, scratch), scratch, shape);
        }

        private Tensor matrix(int layer, PtNDManager scratch, Weight... parts) {
            return packed(joined(layer, scratch, parts), scratch);
        }

        private Tensor packed(Tensor weight, PtNDManager scratch) {
            return kind.prepacked() ? PrepackedLinear.pack(weight, scratch) : weight;
        }

        private Tensor joined(int layer, Tensor none, PtNDManager scratch, Weight... parts) {
            return parts[0].present(config, layer) ? joined(layer, scratch, parts) : none;
        }

        private Tensor joined(int layer, PtNDManager scratch, Weight... parts) {
            var loaded = Arrays.stream(parts).map(part -> load(part, layer, scratch)).toList();
            return loaded.size() == 1
                    ? loaded.getFirst()
                    : TensorOps.get().concatenate(loaded, scratch);
        }

        /// The query norm once per query head, then the key norm once per key-value head: `[H + K, h]`.
        private Tensor headNorms(int layer, Tensor none, PtNDManager scratch) {
            if (!config.queryKeyNorm()) {
                return none;
            }
            var query = load(Weight.QUERY_NORM, layer, scratch);
            var key = load(Weight.KEY_NORM, layer, scratch);
            var rows = new ArrayList<Tensor>();
            for (int head = 0; head < config.heads() + config.keyValueHeads(); head++) {
                rows.add(head < config.heads() ? query : key);
            }
            return TensorOps.get()
                    .reshape(
                            TensorOps.get().concatenate(rows, scratch),
                            scratch,
                            rows.size(),
                            config.headSize());
        }

        /// Angles of every position for both halves of a head, `[positions, 1, h]`.
        private Tensor table(float[] angles, PtNDManager scratch) {
            var shape = new Shape(angles.length / config.headSize(), 1, config.headSize());
            return TensorOps.get()
                    .convert(Tensor.of(scratch.create(angles, shape)), kind.type(), scratch);
        }

        private Tensor load(Weight weight, int layer, PtNDManager scratch) {
            if (!weight.norm()
                    || config.fusion().filter(FusionConfig::zeroCentredNorms).isEmpty()) {
                return source.load(weight, layer, kind.type(), scratch);
            }
            var difference = source.load(weight, layer, ElementType.F32, scratch).array();
            return TensorOps.get().convert(Tensor.of(difference.add(1)), kind.type(), scratch);
        }
    }
}
