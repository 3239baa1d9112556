package dev.outrider.nn.network;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.PrepackedLinear;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorOps;
import java.util.Arrays;

/// Reads weights of a stack and lays them out as its linear layers want them. What it makes belongs to the manager it is given.
record WeightPacker(DecoderConfig config, WeightSource source, LinearKind kind) {
    /// What stands for a weight that the stack does not have.
    Tensor none(PtNDManager manager) {
        return TensorOps.get().zeros(kind.type(), manager, 0);
    }

    /// A weight as it is multiplied by or added.
    Tensor load(Weight weight, int layer, PtNDManager manager) {
        boolean zeroCentred =
                config.form().norms().zeroCentred()
                        || config.fusion().filter(each -> each.has(FusionConfig.Switch.ZERO_CENTRED_NORMS)).isPresent();
        if (!weight.norm() || !zeroCentred) {
            return source.load(weight, layer, kind.type(), manager);
        }
        var difference = source.load(weight, layer, ElementType.F32, manager).array();
        return TensorOps.get().convert(Tensor.of(difference.add(1)), kind.type(), manager);
    }

    /// Weights joined along their first dimension; [#none] if the stack does not have the first.
    Tensor joined(int layer, PtNDManager manager, Weight... parts) {
        if (!parts[0].present(config, layer)) {
            return none(manager);
        }
        var loaded = Arrays.stream(parts).map(part -> load(part, layer, manager)).toList();
        return loaded.size() == 1
                ? loaded.getFirst()
                : TensorOps.get().concatenate(loaded, manager);
    }

    /// [#joined] as the matrix of a linear layer.
    Tensor matrix(int layer, PtNDManager manager, Weight... parts) {
        var joined = joined(layer, manager, parts);
        return parts[0].present(config, layer) ? packed(joined, manager) : joined;
    }

    /// The matrix of a linear layer as its operation wants it.
    Tensor packed(Tensor weight, PtNDManager manager) {
        return kind.prepacked() ? PrepackedLinear.pack(weight, manager) : weight;
    }

    /// A tensor of computed numbers.
    Tensor table(float[] numbers, PtNDManager manager, long... shape) {
        return TensorOps.get()
                .convert(
                        Tensor.of(manager.create(numbers, new Shape(shape))), kind.type(), manager);
    }
}
