package dev.outrider.drafting.feature;

import dev.outrider.nn.network.FusionConfig;
import dev.outrider.drafting.head.HeadCheckpoint;
import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.ScriptedFeatureNetwork;
import dev.outrider.nn.network.ScriptedNetwork;
import dev.outrider.nn.network.SharedWeights;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.NativeMemory;
import dev.outrider.nn.vector.VectorBlockNetwork;
import dev.outrider.nn.vector.VectorFeatureNetwork;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.Optional;

/// What a draft layer takes over from the target it is loaded for, and what both must agree on. Immutable.
///
/// @param drafter name of the drafter, for messages
/// @param target  whom it drafts for
public record TargetFit(String drafter, TargetModel target) {
    /// Loads a draft layer for what runs the target: Java's vector code, or else the tensor engine.
    ///
    /// @param config    with [DecoderConfig#fusion]
    /// @param precision number format of its matrices; the target's when it is not given
    /// @return the caller closes it
    /// @throws OutriderException `CAPABILITY_MISSING` if it needs the target's embedding or head and that lends neither,
    ///                           `CONFIG_INVALID` if the tensor engine has no such
    ///                           numbers, `OUT_OF_MEMORY`
    public FeatureNetwork load(
            DecoderConfig config, WeightSource weights, Optional<Precision> precision) {
        var network = target.capability(VectorNetwork.class);
        if (network.isPresent()) {
            var kept = precision.orElseGet(network.get()::precision);
            requireMemory(DecoderMemory.of(config, kept), config);
            return new VectorFeatureNetwork(config, weights, kept, network);
        }
        var type =
                precision
                        .map(each -> each.ofTensors("drafter '%s'".formatted(drafter)))
                        .orElseGet(this::tensors);
        requireMemory(DecoderMemory.of(config, type), config);
        return new ScriptedFeatureNetwork(config, weights, type, lender(config));
    }

    /// Loads a block drafter's backbone in Java's vector code, whatever runs the target. What it does not have itself it reads from the
    /// memory of a target that runs there too, and copies from another.
    ///
    /// @param config    with a [DecoderConfig#fusion] that joins by a context
    /// @param precision number format of its matrices; the target's when it is not given, f32 for a target of the tensor engine
    /// @return the caller closes it
    /// @throws OutriderException `CAPABILITY_MISSING` if it needs the target's embedding or head and that lends neither,
    ///                           `BACKEND_UNAVAILABLE` if this process has no vector code, `OUT_OF_MEMORY`
    public BlockNetwork loadBlock(
            DecoderConfig config, WeightSource weights, Optional<Precision> precision) {
        VectorMachine.require();
        var network = target.capability(VectorNetwork.class);
        var kept = precision.or(() -> network.map(VectorNetwork::precision)).orElse(Precision.F32);
        requireMemory(DecoderMemory.of(config, kept), config);
        if (network.isPresent()) {
            return new VectorBlockNetwork(config, weights, kept, network);
        }
        return lender(config)
                .map(shared -> CopiedWeights.of(config, weights, shared))
                .map(copied -> new VectorBlockNetwork(copied.config(), copied, kept, network))
                .orElseGet(() -> new VectorBlockNetwork(config, weights, kept, network));
    }

    private void requireMemory(DecoderMemory memory, DecoderConfig config) {
        memory.require(
                "drafter '%s'".formatted(drafter),
                config.maxPositions(),
                NativeMemory.availableBytes());
    }

    /// The target's number format, or f32 if it has none of ours.
    private ElementType tensors() {
        return target.capability(ScriptedNetwork.class)
                .map(ScriptedNetwork::type)
                .orElse(ElementType.F32);
    }

    private Optional<SharedWeights> lender(DecoderConfig config) {
        var shared = target.capability(SharedWeights.class);
        var fusion = config.fusion().orElseThrow();
        if (shared.isEmpty() && !(fusion.has(FusionConfig.Switch.OWN_EMBEDDING) && fusion.has(FusionConfig.Switch.OWN_HEAD))) {
            throw new OutriderException(
                    ErrorCode.CAPABILITY_MISSING,
                    "drafter '%s' reads the embedding or head of its target, but target '%s' does not lend them"
                            .formatted(drafter, target.description().name()),
                    "Use the target back end 'vector' or 'djl', or a head that has both of its own.");
        }
        return shared;
    }

    /// Refuses a layer that guesses other tokens than the target has.
    ///
    /// @param path       where the layer lies
    /// @param vocabulary number of tokens it was trained for
    /// @throws OutriderException `DRAFTER_VOCABULARY_MISMATCH`
    public void requireVocabulary(Path path, int vocabulary) {
        HeadCheckpoint.requireVocabulary(drafter, path, vocabulary, target.description());
    }
}
