package dev.outrider.training;

import dev.outrider.common.Require;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Everything one training run reads and writes.
///
/// @param shape      of the decoder
/// @param config     settings of the training
/// @param encoder    encodes documents as tokens; its vocabulary may not exceed the shape's
/// @param training   documents to learn
/// @param validation documents of the validation; none of them may be in `training`
/// @param folder     of the model; an unfinished run there is resumed
/// @param storage    numbers in the finished model
/// @param tokenizer  a `tokenizer.json` to copy beside the model
/// @param provenance further entries of `training.json`: data seed, command, version
/// @param start      a checkpoint of the same shape with the initial values, instead of random ones
public record TrainingPlan(
        DecoderShape shape,
        TrainingConfig config,
        DocumentEncoder encoder,
        DocumentSource training,
        DocumentSource validation,
        Path folder,
        Storage storage,
        Optional<Path> tokenizer,
        Map<String, String> provenance,
        Optional<Path> start) {
    public TrainingPlan {
        Require.that(
                encoder.encoder().vocabularySize() <= shape.vocabularySize(),
                "the tokenizer has %d tokens, the decoder only %d",
                encoder.encoder().vocabularySize(),
                shape.vocabularySize());
        Require.that(
                config.contextTokens() <= shape.maxPositions(),
                "contextTokens (%d) exceeds maxPositions (%d)",
                config.contextTokens(),
                shape.maxPositions());
        provenance = Map.copyOf(provenance);
    }

    /// Loads the teacher, if there is one, and returns the learner. The caller closes it.
    ///
    /// @throws dev.outrider.spi.error.OutriderException as [FrozenTarget#load], of the teacher
    public Learner learner() {
        return DecoderLearner.of(this);
    }

    /// Returns the run without its learner.
    TrainingJob job() {
        return new TrainingJob(config, encoder, training, validation, folder, provenance);
    }

    /// Numbers in the finished model.
    public enum Storage {
        FLOAT32,
        BFLOAT16;

        /// The element type in the file.
        public TensorType type() {
            return switch (this) {
                case FLOAT32 -> TensorType.F32;
                case BFLOAT16 -> TensorType.BF16;
            };
        }

        /// Returns a tensor in this format; bfloat16 rounds to nearest, ties to even.
        public StoredTensor stored(String name, float[] values, long... shape) {
            return switch (this) {
                case FLOAT32 -> StoredTensor.ofFloats(name, values, shape);
                case BFLOAT16 -> StoredTensor.ofBfloat16(name, values, shape);
            };
        }
    }
}
