package dev.outrider.nn.target;

import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.CheckpointDirectory;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.ReferenceNetwork;
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
    /// Makes the network once the checkpoint is known to be whole and to fit.
    private interface Networks {
        DecoderMemory memory(
                DecoderConfig config, CheckpointTensors tensors, CheckpointWeights weights);

        DecoderNetwork network(
                DecoderConfig config, CheckpointTensors tensors, CheckpointWeights weights);

        long cacheBytesPerRow(DecoderConfig config);
    }

    /// Loads a checkpoint for the tensor engine.
    ///
    /// @param maxPositions   longest sequence wanted, if shorter than the checkpoint's own limit
    /// @param availableBytes native memory that can still be had
    /// @throws OutriderException if files are missing, broken or unsupported, or memory does not suffice
    public static LoadedDecoder load(
            CheckpointDirectory directory,
            ElementType type,
            DjlTargetConfig.Implementation implementation,
            Optional<Integer> maxPositions,
            LongSupplier availableBytes) {
        return load(
                directory,
                maxPositions,
                availableBytes,
                new Networks() {
                    @Override
                    public DecoderMemory memory(
                            DecoderConfig config,
                            CheckpointTensors tensors,
                            CheckpointWeights weights) {
                        return DecoderMemory.of(config, type);
                    }

                    @Override
                    public DecoderNetwork network(
                            DecoderConfig config,
                            CheckpointTensors tensors,
                            CheckpointWeights weights) {
                        return switch (implementation) {
                            case SCRIPTED -> new ScriptedNetwork(config, weights, type);
                            case REFERENCE -> new ReferenceNetwork(config, weights);
                        };
                    }

                    @Override
                    public long cacheBytesPerRow(DecoderConfig config) {
                        return 2L
                                * config.layers()
                                * config.keyValueHeads()
                                * config.headSize()
                                * type.bytes();
                    }
                });
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
                new Networks() {
                    @Override
                    public DecoderMemory memory(
                            DecoderConfig config,
                            CheckpointTensors tensors,
                            CheckpointWeights weights) {
                        return DecoderMemory.of(config, kept(tensors, weights));
                    }

                    @Override
                    public DecoderNetwork network(
                            DecoderConfig config,
                            CheckpointTensors tensors,
                            CheckpointWeights weights) {
                        return new VectorNetwork(config, weights, kept(tensors, weights));
                    }

                    @Override
                    public long cacheBytesPerRow(DecoderConfig config) {
                        return VectorNetwork.cacheBytesPerRow(config);
                    }

                    private Precision kept(CheckpointTensors tensors, CheckpointWeights weights) {
                        return precision.orElseGet(() -> Precision.of(tensors, weights.read()));
                    }
                });
    }

    private static LoadedDecoder load(
            CheckpointDirectory directory,
            Optional<Integer> maxPositions,
            LongSupplier availableBytes,
            Networks networks) {
        var name = String.valueOf(directory.path().toAbsolutePath().normalize().getFileName());
        var model = ModelConfig.read(directory);
        var config = maxPositions.map(model.decoder()::limitedTo).orElse(model.decoder());
        var tokenizer = CheckpointTokenizer.load(directory, model);
        try (var tensors = directory.openTensors()) {
            var weights = new CheckpointWeights(config, tensors);
            networks.memory(config, tensors, weights)
                    .require(
                            "model '%s'".formatted(name),
                            config.maxPositions(),
                            availableBytes.getAsLong());
            var digest = tensors.digest();
            return new LoadedDecoder(
                    name,
                    config,
                    networks.network(config, tensors, weights),
                    tokenizer,
                    Set.copyOf(model.endOfSequence()),
                    digest,
                    networks.cacheBytesPerRow(config));
        }
    }

    /// Number of parameters.
    public long parameters() {
        return Weight.parameters(config);
    }
}
