package dev.outrider.nn.architecture;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.Quantisation;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.gguf.GgufFile;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.spi.error.OutriderException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The configuration of a checkpoint.
///
/// @param family          model family
/// @param decoder         the architecture
/// @param beginOfSequence token ids that begin a sequence; may be empty
/// @param endOfSequence   token ids that end one, those of `generation_config.json` included; may
///     be empty
/// @param storage         element type of the weights, if the configuration says so
/// @param quantisation    quantisation of linear weights, if any
/// @param encoder         the encoder of an encoder-decoder
public record ModelConfig(
        Family family,
        DecoderConfig decoder,
        List<Integer> beginOfSequence,
        List<Integer> endOfSequence,
        Optional<TensorType> storage,
        Optional<Quantisation> quantisation,
        Optional<EncoderConfig> encoder) {
    public ModelConfig {
        beginOfSequence = List.copyOf(beginOfSequence);
        endOfSequence = List.copyOf(endOfSequence);
    }

    /// Creates the configuration of a decoder whose weights are not quantised.
    public ModelConfig(
            Family family,
            DecoderConfig decoder,
            List<Integer> beginOfSequence,
            List<Integer> endOfSequence,
            Optional<TensorType> storage) {
        this(
                family,
                decoder,
                beginOfSequence,
                endOfSequence,
                storage,
                Optional.empty(),
                Optional.empty());
    }

    /// Reads `config.json` and, if there is one, `generation_config.json`; of a GGUF file, its metadata.
    ///
    /// @throws OutriderException `CHECKPOINT_INCOMPLETE`, `MODEL_CONFIG_INVALID` or `CHECKPOINT_UNSUPPORTED`
    public static ModelConfig read(Checkpoint directory) {
        if (directory.gguf().isPresent()) {
            try (var file = GgufFile.open(directory.path())) {
                return GgufConfig.read(file);
            }
        }
        var config = of(ConfigNode.read(directory.config()));
        var ends = new LinkedHashSet<>(config.endOfSequence);
        directory
                .generationConfig()
                .ifPresent(path -> ends.addAll(ConfigNode.read(path).ids("eos_token_id")));
        return new ModelConfig(
                config.family,
                config.decoder,
                config.beginOfSequence,
                List.copyOf(ends),
                config.storage,
                config.quantisation,
                config.encoder);
    }

    /// Returns the ids of [#endOfSequence] that the model has a row for; it gives no others.
    public Set<Integer> endTokensWithRow() {
        return endOfSequence.stream()
                .filter(id -> id < decoder.vocabularySize())
                .collect(Collectors.toUnmodifiableSet());
    }

    /// Returns the supported values of `general.architecture` in GGUF files.
    public static Set<String> ggufArchitectures() {
        return GgufConfig.architectures();
    }

    /// Reads a configuration that may be a part of another, such as the one of a draft's own
    /// layers.
    ///
    /// @throws OutriderException `MODEL_CONFIG_INVALID` or `CHECKPOINT_UNSUPPORTED`
    public static ModelConfig of(ConfigNode node) {
        return new ModelConfigReader(node).read();
    }
}
