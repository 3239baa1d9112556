package dev.outrider.drafting.feature;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.SharedWeights;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// A draft layer's weights with the embedding and the head that it lacks, copied from a target that Java's vector code does not run.
///
/// @param config with both of its own
/// @param own    the layer's
/// @param lends  which of the two are the target's
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
                        config.fusion()
                                .orElseThrow()
                                .with(true, Switch.OWN_EMBEDDING, Switch.OWN_HEAD)),
                own,
                Set.copyOf(lends),
                target);
    }

    @Override
    public Optional<FileMatrix> stored(Weight weight, int layer, Precision kept) {
        return lends.contains(weight) ? Optional.empty() : own.stored(weight, layer, kept);
    }

    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        if (!lends.contains(weight)) {
            own.read(weight, layer, reader);
            return;
        }
        reader.accept(weight == Weight.EMBEDDING ? target.embedding() : target.head());
    }

    @Override
    public void readRows(Weight weight, int layer, Consumer<MemorySegment> reader) {
        if (lends.contains(weight)) {
            read(weight, layer, reader);
        } else {
            own.readRows(weight, layer, reader);
        }
    }

    @Override
    public long readingBytes(DecoderConfig all, Weight weight, int layer) {
        return lends.contains(weight) ? 0 : own.readingBytes(all, weight, layer);
    }
}
