package dev.outrider.training;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.data.DataConfig;
import dev.outrider.training.data.Document;
import dev.outrider.training.data.TrainingData;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The pairs an encoder-decoder learns from: prompts and completions of the files of its configuration, or the made-up corpus.
///
/// @param training   pairs to learn
/// @param validation pairs whose loss is watched
/// @param provenance what `training.json` says of them, and of the command
record TrainingPairs(PairSource training, PairSource validation, Map<String, String> provenance) {
    static TrainingPairs of(Optional<DataConfig> config, long corpusSeed, TrainingContext context) {
        var facts = new HashMap<>(context.provenance());
        if (config.isEmpty()) {
            facts.put("corpusSeed", Long.toString(corpusSeed));
            return new TrainingPairs(
                    context.trainingPairs(corpusSeed), context.validationPairs(corpusSeed), facts);
        }
        var data = TrainingData.open(config.get());
        facts.put("data", data.facts());
        var training =
                new PairSource() {
                    @Override
                    public Stream<TextPair> open() {
                        return pairs(data.training());
                    }

                    @Override
                    public String facts() {
                        return data.facts();
                    }
                };
        return new TrainingPairs(training, () -> pairs(data.validation()), facts);
    }

    private static Stream<TextPair> pairs(Stream<Document> documents) {
        return documents.map(document ->
                switch (document) {
                    case Document.Completion(String prompt, String completion, _) ->
                            new TextPair(prompt, completion);
                    case Document.Text _, Document.Chat _ ->
                            throw new OutriderException(
                                    ErrorCode.DATA_INVALID,
                                    "the data have a record that is no pair; an encoder-decoder learns from a 'prompt' and its 'completion'",
                                    "Give records these two fields, or leave the source out of 'data.sources'.");
                });
    }
}
