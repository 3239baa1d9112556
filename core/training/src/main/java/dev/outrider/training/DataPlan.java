package dev.outrider.training;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.target.ChatTemplates;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.training.data.DataConfig;
import dev.outrider.training.data.TrainingData;
import java.nio.file.Path;
import java.util.Optional;

/// What a trainer's configuration says of data, and of how they become rows.
///
/// @param data      the files
/// @param tokenizer the tokenizer.json
/// @param model     whose chat template conversations are written with, unless the data name another's
/// @param endOfText token that ends a document
/// @param rowTokens tokens of a row
public record DataPlan(
        DataConfig data, Path tokenizer, Path model, String endOfText, int rowTokens) {
    /// The plan of a configuration, or nothing if it learns from the made-up corpus, or does not learn from documents.
    public static Optional<DataPlan> of(Record config) {
        return switch (config) {
            case LanguageModelSettings settings -> settings.data().map(data -> of(data, settings));
            case FrozenTargetKeys.Holder settings ->
                    settings.keys().data().map(data -> of(data, settings.keys()));
            default -> Optional.empty();
        };
    }

    private static DataPlan of(DataConfig data, LanguageModelSettings settings) {
        return new DataPlan(
                data,
                settings.tokenizer(),
                folder(settings.tokenizer()),
                settings.endOfText(),
                settings.training().contextTokens() + 1);
    }

    private static DataPlan of(DataConfig data, FrozenTargetKeys settings) {
        return new DataPlan(
                data,
                new Checkpoint(settings.target()).tokenizer(),
                settings.target(),
                settings.endOfText(),
                settings.training().contextTokens() + 1);
    }

    /// The folder of a file.
    static Path folder(Path file) {
        return file.toAbsolutePath().resolveSibling("");
    }

    /// Reads every document once.
    ///
    /// @param samples of each source whose tokens are kept
    /// @throws dev.outrider.spi.error.OutriderException as [TrainingData#all] and [DocumentEncoder#encode]
    public DataSurvey survey(int samples) {
        try (var read = HfTokenizer.load(tokenizer)) {
            var template = ChatTemplates.of(data.template().orElse(model));
            var encoder = new DocumentEncoder(new TokenizerEncoder(read, endOfText), template);
            var survey = new DataSurvey.Counting(data.sources().size(), rowTokens, samples, read);
            TrainingData.open(data)
                    .all()
                    .forEach(each -> survey.add(each, encoder.encode(each.document())));
            return survey.survey();
        }
    }
}
