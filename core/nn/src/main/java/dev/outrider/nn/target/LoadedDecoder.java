package dev.outrider.nn.target;

import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.CheckpointDirectory;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.ScriptedNetwork;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.Tokenizer;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// A checkpoint ready to run. Drafters that are decoders themselves load theirs here too.
///
/// @param name          the folder's name
/// @param config        its architecture
/// @param network       its layers; whoever holds this record closes it
/// @param tokenizer     its tokenizer
/// @param endOfSequence token ids that end a sequence
/// @param digest        digest of its weights
/// @param cacheBytesPerRow bytes that a token takes in a cache
public record LoadedDecoder(
        String name,
        DecoderConfig config,
        DecoderNetwork network,
        Tokenizer tokenizer,
        Set<Integer> endOfSequence,
        String digest,
        long cacheBytesPerRow) {
    /// What a back end needs for a decoder, before anything of it is made.
    ///
    /// @param memory           what it takes
    /// @param network          makes it
    /// @param cacheBytesPerRow bytes that a token takes in a cache
    private record Plan(
            DecoderMemory memory, Supplier<DecoderNetwork> network, long cacheBytesPerRow) {}

    /// A back end.
    @FunctionalInterface
    private interface Planner {
        Plan plan(DecoderConfig config, CheckpointWeights weights);
    }

    /// Loads a checkpoint for the tensor engine.
    ///
    /// @param maxPositions   longest sequence wanted, if shorter than the checkpoint's own limit
    /// @param availableBytes native memory that can still be had
    /// @throws OutriderException if files are missing, broken or unsupported, or memory does not suffice
    public static LoadedDecoder load(
            CheckpointDirectory directory,
            ElementType type,
            Optional<Integer> maxPositions,
            LongSupplier availableBytes) {
        return load(
                directory,
                maxPositions,
                availableBytes,
                (config, weights) ->
                        new Plan(
                                DecoderMemory.of(config, type),
                                () -> new ScriptedNetwork(config, weights, type),
                                2L
                                        * config.layers()
                                        * config.keyValueHeads()
                                        * config.headSize()
                                        * type.bytes()));
    }

    /// Loads a checkpoint for Java's vector code.
    ///
    /// @param precision      how matrices are kept; as the checkpoint has them when it is not given
    /// @param maxPositions   longest sequence wanted, if shorter than the checkpoint's own limit
    /// @param availableBytes native memory that can still be had
    /// @throws OutriderException as [#load], and `BACKEND_UNAVAILABLE` if the process has no such code
    public static LoadedDecoder loadVector(
            CheckpointDirectory directory,
            Optional<Precision> precision,
            Optional<Integer> maxPositions,
            LongSupplier availableBytes) {
        VectorMachine.require();
        return load(
                directory,
                maxPositions,
                availableBytes,
                (config, weights) -> {
                    var kept = precision.orElseGet(weights::precision);
                    return new Plan(
                            DecoderMemory.of(config, kept),
                            () -> new VectorNetwork(config, weights, kept),
                            VectorNetwork.cacheBytesPerRow(config));
                });
    }

    private static LoadedDecoder load(
            CheckpointDirectory directory,
            Optional<Integer> maxPositions,
            LongSupplier availableBytes,
            Planner planner) {
        var name = String.valueOf(directory.path().toAbsolutePath().normalize().getFileName());
        var model = ModelConfig.read(directory);
        var config = maxPositions.map(model.decoder()::limitedTo).orElse(model.decoder());
        var tokenizer = CheckpointTokenizer.load(directory, model);
        try (var tensors = directory.openTensors()) {
            var plan =
                    planner.plan(
                            config,
                            new CheckpointWeights(config, tensors).requireLevels(model.levels()));
            plan.memory()
                    .require(
                            "model '%s'".formatted(name),
                            config.maxPositions(),
                            availableBytes.getAsLong());
            var digest = tensors.digest();
            return new LoadedDecoder(
                    name,
                    config,
                    plan.network().get(),
                    tokenizer,
                    Set.copyOf(model.endOfSequence()),
                    digest,
                    plan.cacheBytesPerRow());
        }
    }

    /// Number of parameters.
    public long parameters() {
        return Weight.parameters(config);
    }
}
