package dev.outrider.drafting.feature;

import dev.outrider.nn.network.FusionConfig;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.checkpoint.PackedMatrix;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.SharedWeights;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TensorThread;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// A draft layer's weights with the embedding and the head that it lacks, copied from a target of the tensor engine. The head is read
/// as the logits of the unit vectors.
///
/// @param config with both of its own
/// @param own    the layer's
/// @param lends  which of the two the target lends
/// @param target the target's
record CopiedWeights(
        DecoderConfig config, WeightSource own, Set<Weight> lends, SharedWeights target)
        implements WeightSource {
    static CopiedWeights of(DecoderConfig config, WeightSource own, SharedWeights target) {
        var lends = EnumSet.noneOf(Weight.class);
        for (var weight : new Weight[] {Weight.EMBEDDING, Weight.HEAD}) {
            if (!weight.present(config)) {
                lends.add(weight);
            }
        }
        return new CopiedWeights(
                config.fused(
                        config.fusion().orElseThrow().with(true, FusionConfig.Switch.OWN_EMBEDDING, FusionConfig.Switch.OWN_HEAD)),
                own,
                Set.copyOf(lends),
                target);
    }

    @Override
    public Tensor load(Weight weight, int layer, ElementType type, PtNDManager manager) {
        return own.load(weight, layer, type, manager);
    }

    @Override
    public Optional<PackedMatrix> stored(Weight weight, int layer, Precision kept) {
        return lends.contains(weight) ? Optional.empty() : own.stored(weight, layer, kept);
    }

    @Override
    public Optional<FileMatrix> blocks(Weight weight, int layer) {
        return lends.contains(weight) ? Optional.empty() : own.blocks(weight, layer);
    }

    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        if (!lends.contains(weight)) {
            own.read(weight, layer, reader);
            return;
        }
        TensorThread.enterInference();
        try (var manager = TensorRuntime.newManager()) {
            reader.accept(
                    MemorySegment.ofArray(
                            weight == Weight.EMBEDDING ? embedding(manager) : head(manager)));
        }
    }

    private float[] embedding(PtNDManager manager) {
        int[] tokens = IntStream.range(0, target.vocabularySize()).toArray();
        return target.embed(tokens, manager).array().toFloatArray();
    }

    private float[] head(PtNDManager manager) {
        int size = target.hiddenSize();
        int tokens = target.vocabularySize();
        var units = new float[size * size];
        for (int index = 0; index < size; index++) {
            units[index * size + index] = 1;
        }
        var unit = Tensor.of(manager.create(units, new Shape(size, size)));
        float[] columns = target.head(unit, manager).array().toFloatArray();
        var head = new float[tokens * size];
        for (int column = 0; column < size; column++) {
            for (int token = 0; token < tokens; token++) {
                head[token * size + column] = columns[column * tokens + token];
            }
        }
        return head;
    }
}
