package dev.outrider.training;

import dev.outrider.common.Require;
import dev.outrider.training.RowSource.RowStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Everything one training run of an encoder-decoder reads and writes.
///
/// @param shape        of the model
/// @param sourceTokens longest source; longer ones are cut
/// @param config       settings of the training; its `contextTokens` are those of the longest answer
/// @param encoder      the tokenizer; its vocabulary may not exceed the shape's
/// @param training     pairs to learn
/// @param validation   pairs of the validation; none of them may be in `training`
/// @param folder       of the model; an unfinished run there is resumed
/// @param storage      numbers in the finished model
/// @param tokenizer    a `tokenizer.json` to copy beside the model
/// @param provenance   further entries of `training.json`: data seed, command, version
public record EncoderDecoderPlan(
        EncoderDecoderShape shape,
        int sourceTokens,
        TrainingConfig config,
        PairEncoder encoder,
        DocumentSource training,
        DocumentSource validation,
        Path folder,
        TrainingPlan.Storage storage,
        Optional<Path> tokenizer,
        Map<String, String> provenance) {
    public EncoderDecoderPlan {
        Require.atLeast("sourceTokens", sourceTokens, 1);
        Require.that(
                encoder.vocabularySize() <= shape.vocabularySize(),
                "the tokenizer has %d tokens, the model only %d",
                encoder.vocabularySize(),
                shape.vocabularySize());
        int longest = Math.max(sourceTokens, config.contextTokens());
        Require.that(
                longest <= shape.maxPositions(),
                "sourceTokens (%d) or contextTokens (%d) exceeds maxPositions (%d)",
                sourceTokens,
                config.contextTokens(),
                shape.maxPositions());
        provenance = Map.copyOf(provenance);
    }

    /// Returns the run without its learner.
    TrainingJob job() {
        return new TrainingJob(
                config, encoder.end(), laid(training), laid(validation), folder, provenance);
    }

    private RowSource laid(DocumentSource pairs) {
        return new RowSource() {
            @Override
            public RowStream open(int rows, long skip) {
                return new PairPacker(
                        pairs, encoder, sourceTokens, config.contextTokens(), rows, skip);
            }

            @Override
            public String facts() {
                return pairs.facts();
            }
        };
    }
}
