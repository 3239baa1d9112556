package dev.outrider.training;

import dev.outrider.training.data.DataConfig;
import dev.outrider.training.data.TrainingData;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What a run learns from: the files of its configuration, or the made-up corpus.
///
/// @param training   documents to learn
/// @param validation documents whose loss is watched
/// @param provenance what `training.json` says of them, and of the command
record TrainingTexts(
        DocumentSource training, DocumentSource validation, Map<String, String> provenance) {
    static TrainingTexts of(Optional<DataConfig> data, long corpusSeed, TrainingContext context) {
        return data.map(config -> ofFiles(TrainingData.open(config), context))
                .orElseGet(() ->
                        new TrainingTexts(
                                context.training(corpusSeed),
                                context.validation(corpusSeed),
                                provenance(context, "corpusSeed", Long.toString(corpusSeed))));
    }

    private static TrainingTexts ofFiles(TrainingData data, TrainingContext context) {
        DocumentSource training = data::training;
        return new TrainingTexts(
                training.withFacts(data.facts()),
                data::validation,
                provenance(context, "data", data.facts()));
    }

    static Map<String, String> provenance(TrainingContext context, String name, String value) {
        var facts = new HashMap<>(context.provenance());
        facts.put(name, value);
        return facts;
    }
}
