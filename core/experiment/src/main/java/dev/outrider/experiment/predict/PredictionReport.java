package dev.outrider.experiment.predict;

import java.util.List;
import java.util.Map;

/// What `outrider predict --json` prints.
///
/// @param name       of the experiment
/// @param configHash of its effective configuration
/// @param seed       of every random decision
/// @param prompts    how many the predictions are from
/// @param measuredOn how many the measurements are from; 0 if nothing was measured
/// @param models     digests of the weights
/// @param variants   what was found
public record PredictionReport(
        String name,
        String configHash,
        long seed,
        int prompts,
        int measuredOn,
        Map<String, String> models,
        List<PredictedSide> variants) {
    public PredictionReport {
        models = Map.copyOf(models);
        variants = List.copyOf(variants);
    }
}
