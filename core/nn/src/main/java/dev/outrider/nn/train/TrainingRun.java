package dev.outrider.nn.train;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Everything one training run reads and writes.
///
/// @param shape      of the decoder
/// @param config     how it is trained
/// @param encoder    the tokenizer; its vocabulary may not exceed the shape's
/// @param training   documents to learn
/// @param validation documents whose loss is watched; none of them may be in `training`
/// @param folder     where the model goes; an unfinished run there is resumed
/// @param storage    numbers in the finished model
/// @param tokenizer  a `tokenizer.json` to copy beside the model
/// @param provenance what else `training.json` should say: data seed, command, version
public record TrainingRun(
        DecoderShape shape,
        TrainingConfig config,
        TextEncoder encoder,
        DocumentSource training,
        DocumentSource validation,
        Path folder,
        Storage storage,
        Optional<Path> tokenizer,
        Map<String, String> provenance) {
    public TrainingRun {
        if (encoder.vocabularySize() > shape.vocabularySize()) {
            throw new IllegalArgumentException(
                    "the tokenizer has %d tokens, the decoder only %d"
                            .formatted(encoder.vocabularySize(), shape.vocabularySize()));
        }
        if (config.contextTokens() > shape.maxPositions()) {
            throw new IllegalArgumentException(
                    "contextTokens (%d) exceeds maxPositions (%d)"
                            .formatted(config.contextTokens(), shape.maxPositions()));
        }
        provenance = Map.copyOf(provenance);
    }

    /// What decides the result, in one line; a resumed run must have the same. The number of threads is not part of it.
    String settings() {
        return "%s %s".formatted(shape, config.withThreads(1));
    }

    /// Numbers in the finished model.
    public enum Storage {
        FLOAT32,
        BFLOAT16
    }
}
