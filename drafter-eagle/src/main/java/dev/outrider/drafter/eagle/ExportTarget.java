package dev.outrider.drafter.eagle;

import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetDescription;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// What a head's file says of its target, read from the target's configuration alone.
///
/// @param name          what it is called
/// @param model         its configuration
/// @param architectures what its `config.json` lists; empty for a GGUF file
record ExportTarget(String name, ModelConfig model, List<String> architectures) {
    /// @throws OutriderException as [ModelConfig#read]; `CHECKPOINT_UNSUPPORTED` if it is an encoder-decoder
    static ExportTarget read(Path path) {
        var checkpoint = new Checkpoint(path);
        var model = ModelConfig.read(checkpoint);
        if (model.encoder().isPresent()) {
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_UNSUPPORTED,
                    "'%s' is an encoder-decoder; expected the decoder that the head was trained for"
                            .formatted(path),
                    "Give the folder of the head's target.");
        }
        List<String> architectures =
                checkpoint.gguf().isPresent()
                        ? List.of()
                        : ConfigNode.read(checkpoint.config()).texts("architectures");
        return new ExportTarget(checkpoint.name(), model, architectures);
    }

    TargetDescription description() {
        var decoder = model.decoder();
        return new TargetDescription(
                name,
                "",
                decoder.vocabularySize(),
                decoder.hiddenSize(),
                decoder.layers(),
                decoder.maxPositions(),
                0,
                Set.copyOf(model.endOfSequence()),
                "");
    }
}
