package dev.outrider.training;

import dev.outrider.training.RowSource.RowStream;
import java.nio.file.Path;
import java.util.Map;

/// A training run without its learner.
///
/// @param config     settings of the training
/// @param endOfText  the token that ends a text
/// @param training   rows to learn
/// @param validation rows of the validation; no text of them may be in `training`
/// @param folder     of the model; an unfinished run there is resumed
/// @param provenance further entries of `training.json`: data seed, command, version
public record TrainingJob(
        TrainingConfig config,
        int endOfText,
        RowSource training,
        RowSource validation,
        Path folder,
        Map<String, String> provenance) {
    public TrainingJob {
        provenance = Map.copyOf(provenance);
    }

    /// A run on documents, one after another in rows with one token more than are predicted.
    ///
    /// @param encoder    encodes documents as tokens
    /// @param training   documents to learn
    /// @param validation documents of the validation; none of them may be in `training`
    public TrainingJob(
            TrainingConfig config,
            DocumentEncoder encoder,
            DocumentSource training,
            DocumentSource validation,
            Path folder,
            Map<String, String> provenance) {
        this(
                config,
                encoder.encoder().endOfText(),
                packed(config, encoder, training),
                packed(config, encoder, validation),
                folder,
                provenance);
    }

    /// The same with other rows to learn.
    TrainingJob withTraining(RowSource rows) {
        return new TrainingJob(config, endOfText, rows, validation, folder, provenance);
    }

    private static RowSource packed(
            TrainingConfig config, DocumentEncoder encoder, DocumentSource documents) {
        return new RowSource() {
            @Override
            public RowStream open(int rows, long skip) {
                return new RowPacker(documents, encoder, config.contextTokens() + 1, rows, skip);
            }

            @Override
            public String facts() {
                return documents.facts();
            }
        };
    }
}
