package dev.outrider.training;

import java.nio.file.Path;
import java.util.Map;

/// A training run, apart from what is trained.
///
/// @param config     how
/// @param encoder    the tokenizer
/// @param training   documents to learn
/// @param validation documents whose loss is watched; none of them may be in `training`
/// @param folder     where the model goes; an unfinished run there is resumed
/// @param provenance what else `training.json` should say: data seed, command, version
public record TrainingJob(
        TrainingConfig config,
        TextEncoder encoder,
        DocumentSource training,
        DocumentSource validation,
        Path folder,
        Map<String, String> provenance) {
    public TrainingJob {
        provenance = Map.copyOf(provenance);
    }
}
