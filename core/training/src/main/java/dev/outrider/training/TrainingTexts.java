package dev.outrider.training;

import dev.outrider.nn.target.ChatTemplates;
import dev.outrider.training.data.DataConfig;
import dev.outrider.training.data.TrainingData;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What a run learns from: the files of its configuration, or the made-up corpus.
///
/// @param training   documents to learn
/// @param validation documents whose loss is watched
/// @param encoder    makes tokens of them
/// @param provenance what `training.json` says of them, and of the command
record TrainingTexts(
        DocumentSource training,
        DocumentSource validation,
        DocumentEncoder encoder,
        Map<String, String> provenance) {
    /// @param model whose chat template conversations are written with, unless the data name another's
    static TrainingTexts of(
            Optional<DataConfig> data,
            long corpusSeed,
            Path model,
            TextEncoder encoder,
            TrainingContext context) {
        return data.map(config -> ofFiles(config, model, encoder, context))
                .orElseGet(() ->
                        new TrainingTexts(
                                context.training(corpusSeed),
                                context.validation(corpusSeed),
                                new DocumentEncoder(encoder, Optional.empty()),
                                provenance(context, "corpusSeed", Long.toString(corpusSeed))));
    }

    private static TrainingTexts ofFiles(
            DataConfig config, Path model, TextEncoder encoder, TrainingContext context) {
        var data = TrainingData.open(config);
        DocumentSource training = data::training;
        var template = ChatTemplates.of(config.template().orElse(model));
        return new TrainingTexts(
                training.withFacts(data.facts()),
                data::validation,
                new DocumentEncoder(encoder, template),
                provenance(context, "data", data.facts()));
    }

    private static Map<String, String> provenance(
            TrainingContext context, String name, String value) {
        var facts = new HashMap<>(context.provenance());
        facts.put(name, value);
        return facts;
    }
}
