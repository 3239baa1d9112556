package dev.outrider.training;

import java.util.Map;

/// The result of a finished run.
///
/// @param steps          done
/// @param tokens         predicted
/// @param loss           of the last step, nats per token
/// @param validationLoss of the finished model
/// @param measures       the learner's further measures of the finished model, in its order
/// @param wallSeconds    of all parts of the run together
public record TrainingResult(
        long steps,
        long tokens,
        double loss,
        double validationLoss,
        Map<String, Double> measures,
        double wallSeconds) {}
