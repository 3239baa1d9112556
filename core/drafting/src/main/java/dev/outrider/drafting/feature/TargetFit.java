package dev.outrider.drafting.feature;

import dev.outrider.drafting.head.DraftBackend;
import dev.outrider.drafting.head.HeadCheckpoint;
import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.nn.network.NativeMemory;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.SharedWeights;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.target.DecoderBackend;
import dev.outrider.nn.vector.VectorFeatureNetwork;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Loads a draft layer for a target: it takes missing weights from the target, and checks that both agree. Immutable.
///
/// @param drafter name of the drafter, for messages
/// @param target  the target that it drafts for
public record TargetFit(String drafter, TargetModel target) {
    /// Loads a draft layer, or a block drafter's backbone, in Java's vector code, for every kind of target. Weights that the
    /// checkpoint does not have are shared with a target that runs in Java's vector code too, and copied from any other target.
    ///
    /// @param config    with [DecoderConfig#fusion]
    /// @param precision number format of its matrices; the target's when it is not given, f32 for a target that Java's vector code
    ///                  does not run
    /// @return the caller closes it
    /// @throws OutriderException `CAPABILITY_MISSING` if it needs the target's embedding or head and the target shares neither,
    ///                           `BACKEND_UNAVAILABLE` if this process has no vector code, `OUT_OF_MEMORY`
    public VectorFeatureNetwork load(
            DecoderConfig config, WeightSource weights, Optional<Precision> precision) {
        VectorMachine.require();
        var network = target.capability(VectorNetwork.class);
        var kept = precision.or(() -> network.map(VectorNetwork::precision)).orElse(Precision.F32);
        var copied =
                (network.isPresent() ? Optional.<SharedWeights>empty() : lender(config))
                        .map(shared -> CopiedWeights.of(config, weights, shared));
        var whole = copied.map(CopiedWeights::config).orElse(config);
        var source = copied.<WeightSource>map(each -> each).orElse(weights);
        requireMemory(DecoderMemory.of(whole, source, kept), whole);
        return new VectorFeatureNetwork(whole, source, kept, network);
    }

    /// Loads a draft layer in a back end. On a device, an embedding or head that the checkpoint does not have is a copy of the
    /// target's.
    ///
    /// @param precision number format of its matrices; with a device f32 when it is not given
    /// @param block     rows of a block, all in one pass; 1 if it is no block drafter's backbone
    /// @return the caller closes it
    /// @throws OutriderException as the other method, or that of a device
    public BlockNetwork load(
            DecoderConfig config,
            WeightSource weights,
            Optional<Precision> precision,
            DraftBackend backend,
            int block) {
        return switch (backend) {
            case VECTOR -> load(config, weights, precision);
            case TORNADO -> {
                var device = DecoderBackend.named("tornado");
                var copied =
                        lender(config).map(shared -> CopiedWeights.of(config, weights, shared));
                yield device.load(
                        drafter,
                        copied.map(CopiedWeights::config).orElse(config),
                        copied.<WeightSource>map(each -> each).orElse(weights),
                        precision,
                        block);
            }
        };
    }

    private void requireMemory(DecoderMemory memory, DecoderConfig config) {
        memory.require(
                "drafter '%s'".formatted(drafter),
                config.maxPositions(),
                NativeMemory.availableBytes());
    }

    private Optional<SharedWeights> lender(DecoderConfig config) {
        var fusion = config.fusion().orElseThrow();
        if (fusion.has(Switch.OWN_EMBEDDING) && fusion.has(Switch.OWN_HEAD)) {
            return Optional.empty();
        }
        var shared = target.capability(SharedWeights.class);
        if (shared.isEmpty()) {
            throw ErrorCode.CAPABILITY_MISSING.error(
                    "drafter '%s' reads the embedding or head of its target, but target '%s' does not lend them"
                            .formatted(drafter, target.description().name()),
                    "Use the target back end 'djl' or 'tornado' (without 'backend: tornado' also 'vector'), or a head that has both of its own.");
        }
        return shared;
    }

    /// Refuses a layer whose vocabulary is not the target's.
    ///
    /// @param path       path of the layer
    /// @param vocabulary number of tokens it was trained for
    /// @throws OutriderException `DRAFTER_VOCABULARY_MISMATCH`
    public void requireVocabulary(Path path, int vocabulary) {
        HeadCheckpoint.requireVocabulary(drafter, path, vocabulary, target.description());
    }

    /// A draft layer's weights, with copies of the embedding and the head that it lacks, from a target that does not run in Java's
    /// vector code.
    ///
    /// @param config configuration with both as its own
    /// @param own    the layer's
    /// @param lends  which of the two the target shares
    /// @param target the target's weights
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
}
