package dev.outrider.nn.network;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;

import dev.outrider.nn.runtime.PrepackedLinear;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorOps;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TorchValue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
        var loader = new Loader(config, source, kind);
        var shared = loader.shared();
        var layers = new ArrayList<TorchValue>();
        for (int layer = 0; layer < config.layers(); layer++) {
            layers.add(loader.layer(layer));
        }
        var list = TorchValue.ofList(layers);
        layers.forEach(TorchValue::close);
        return new PackedWeights(list, shared);
    }

    /// `List[List[Tensor]]`: per layer the weights in the order of [DecoderScript.Slot].
    TorchValue layers() {
        return layers;
    }

    /// `List[Tensor]`: embedding, final norm, head, cosines, signed sines.
    TorchValue shared() {
        return shared;
    }

    @Override
    public void close() {
        layers.close();
        shared.close();
    }

    private record Loader(DecoderConfig config, WeightSource source, LinearKind kind) {
        TorchValue shared() {
            try (var scratch = TensorRuntime.newManager()) {
                var embedding = load(Weight.EMBEDDING, 0, scratch);
                var head = Weight.HEAD.present(config) ? load(Weight.HEAD, 0, scratch) : embedding;
                var rope = RopeTable.of(config, config.maxPositions());
                return TorchValue.ofTensors(
                        List.of(
                                embedding,
                                load(Weight.FINAL_NORM, 0, scratch),
                                kind.headPrepacked() ? PrepackedLinear.pack(head, scratch) : head,
                                table(rope.headCosines(), scratch),
                                table(rope.headSignedSines(), scratch)));
            }
        }

        TorchValue layer(int layer) {
            try (var scratch = TensorRuntime.newManager()) {
                var none = TensorOps.get().zeros(kind.type(), scratch, 0);
                var slots =
                        Stream.of(DecoderScript.Slot.values())
                                .map(slot -> slot(slot, layer, none, scratch))
                                .toList();
                return TorchValue.ofTensors(slots);
            }
        }

        private Tensor slot(DecoderScript.Slot slot, int layer, Tensor none, PtNDManager scratch) {
            return switch (slot) {
                case INPUT_NORM -> load(Weight.INPUT_NORM, layer, scratch);
                case QUERY_KEY_VALUE ->
                        matrix(layer, scratch, Weight.QUERY, Weight.KEY, Weight.VALUE);
                case OUTPUT -> matrix(layer, scratch, Weight.OUTPUT);
                case FEED_FORWARD_NORM -> load(Weight.FEED_FORWARD_NORM, layer, scratch);
                case GATE_UP -> matrix(layer, scratch, Weight.GATE, Weight.UP);
                case DOWN -> matrix(layer, scratch, Weight.DOWN);
                case QUERY_KEY_VALUE_BIAS ->
                        joined(
                                layer,
                                none,
                                scratch,
                                Weight.QUERY_BIAS,
                                Weight.KEY_BIAS,
                                Weight.VALUE_BIAS);
                case OUTPUT_BIAS -> joined(layer, none, scratch, Weight.OUTPUT_BIAS);
                case GATE_UP_BIAS -> joined(layer, none, scratch, Weight.GATE_BIAS, Weight.UP_BIAS);
                case DOWN_BIAS -> joined(layer, none, scratch, Weight.DOWN_BIAS);
                case QUERY_KEY_NORM -> headNorms(layer, none, scratch);
            };
        }

        private Tensor matrix(int layer, PtNDManager scratch, Weight... parts) {
            var weight = joined(layer, scratch, parts);
            return kind.prepacked() ? PrepackedLinear.pack(weight, scratch) : weight;
        }

        private Tensor joined(int layer, Tensor none, PtNDManager scratch, Weight... parts) {
            return parts[0].present(config) ? joined(layer, scratch, parts) : none;
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
            return source.load(weight, layer, kind.type(), scratch);
        }
    }
}
