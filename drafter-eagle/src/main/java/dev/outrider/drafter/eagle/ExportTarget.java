package dev.outrider.drafter.eagle;

import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightNaming;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetDescription;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The target's data that a head's file contains: its name, its sizes, its embedding.
///
/// @param checkpoint    the target's checkpoint
/// @param model         its configuration
/// @param architectures the architectures that its `config.json` lists; empty for a GGUF file
record ExportTarget(Checkpoint checkpoint, ModelConfig model, List<String> architectures) {
    private static final Set<TensorType> PLAIN =
            Set.of(TensorType.F32, TensorType.F16, TensorType.BF16);

    /// @throws OutriderException as [ModelConfig#read]; `CHECKPOINT_UNSUPPORTED` if it is an encoder-decoder
    static ExportTarget read(Path path) {
        var checkpoint = new Checkpoint(path);
        var model = ModelConfig.read(checkpoint);
        if (model.encoder().isPresent()) {
            throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                    "'%s' is an encoder-decoder; expected the decoder that the head was trained for"
                            .formatted(path),
                    "Give the folder of the head's target.");
        }
        List<String> architectures =
                checkpoint.gguf().isPresent()
                        ? List.of()
                        : ConfigNode.read(checkpoint.config()).texts("architectures");
        return new ExportTarget(checkpoint, model, architectures);
    }

    String name() {
        return checkpoint.name();
    }

    TargetDescription description() {
        var decoder = model.decoder();
        return new TargetDescription(
                name(),
                "",
                decoder.vocabularySize(),
                decoder.hiddenSize(),
                decoder.layers(),
                decoder.maxPositions(),
                0,
                model.endTokensWithRow(),
                "");
    }

    /// Returns its embedding in the format of its file.
    ///
    /// @param tensors the target's
    /// @param name    name of the result
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if it is not in plain numbers
    StoredTensor embedding(CheckpointTensors tensors, String name) {
        var decoder = model.decoder();
        return WeightNaming.of(decoder, tensors.names()).names(Weight.EMBEDDING, 0).stream()
                .map(tensors::find)
                .flatMap(Optional::stream)
                .filter(stored -> PLAIN.contains(stored.type()))
                .map(stored -> new StoredTensor(name, stored.type(), stored.shape(), stored.data()))
                .findFirst()
                .orElseThrow(() ->
                        ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                                "'%s' has no embedding in F32, F16 or BF16, which the head's file needs"
                                        .formatted(checkpoint.path()),
                                "Give the folder of the target in safetensors, not quantised."));
    }
}
