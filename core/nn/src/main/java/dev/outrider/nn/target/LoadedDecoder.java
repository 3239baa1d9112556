package dev.outrider.nn.target;

import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.CheckpointDirectory;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.ReferenceNetwork;
import dev.outrider.nn.network.ScriptedNetwork;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.runtime.ElementType;
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
/// @param type          element type of weights and caches
public record LoadedDecoder(
        String name,
        DecoderConfig config,
        DecoderNetwork network,
        Tokenizer tokenizer,
        Set<Integer> endOfSequence,
        String digest,
        ElementType type) {
    /// Loads a checkpoint.
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
        var name = String.valueOf(directory.path().toAbsolutePath().normalize().getFileName());
        var model = ModelConfig.read(directory);
        var config = maxPositions.map(model.decoder()::limitedTo).orElse(model.decoder());
        var tokenizer = CheckpointTokenizer.load(directory, model);
        try (var tensors = directory.openTensors()) {
            var weights = new CheckpointWeights(config, tensors);
            DecoderMemory.of(config, type)
                    .require(
                            "target '%s'".formatted(name),
                            config.maxPositions(),
                            availableBytes.getAsLong());
            DecoderNetwork network =
                    switch (implementation) {
                        case SCRIPTED -> new ScriptedNetwork(config, weights, type);
                        case REFERENCE -> new ReferenceNetwork(config, weights);
                    };
            return new LoadedDecoder(
                    name,
                    config,
                    network,
                    tokenizer,
                    Set.copyOf(model.endOfSequence()),
                    tensors.digest(),
                    type);
        }
    }

    /// Number of parameters.
    public long parameters() {
        return Weight.parameters(config);
    }

    /// Cache bytes of one token.
    public long cacheBytesPerRow() {
        return 2L * config.layers() * config.keyValueHeads() * config.headSize() * type.bytes();
    }
}
