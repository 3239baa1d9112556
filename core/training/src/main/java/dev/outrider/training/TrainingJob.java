package dev.outrider.training;

import dev.outrider.training.RowSource.RowStream;
import java.nio.file.Path;
import java.util.Map;

/// A training run, apart from what is trained.
///
/// @param config     how
/// @param endOfText  the token that ends a text
/// @param training   rows to learn
/// @param validation rows whose loss is watched; no text of them may be in `training`
/// @param folder     where the model goes; an unfinished run there is resumed
/// @param provenance what else `training.json` should say: data seed, command, version
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

    /// A run on documents, one after another in rows of as many tokens as are predicted and one more.
    ///
    /// @param encoder    makes tokens of documents
    /// @param training   documents to learn
    /// @param validation documents whose loss is watched; none of them may be in `training`
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
