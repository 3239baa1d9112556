package dev.outrider.training;

import java.util.Map;
import java.util.OptionalDouble;

/// Receives every step of a run, in the training thread.
@FunctionalInterface
public interface TrainingProgress {
    /// After a step.
    void stepDone(Step step);

    /// Before the first step, while passes of the target are stored.
    ///
    /// @param done rows that are stored
    /// @param all  rows that are to be stored
    default void storing(long done, long all) {}

    /// After the last step, also of a run that was stopped.
    ///
    /// @param profile times since the run began or was resumed
    default void ended(TrainingProfile profile) {}

    /// One step.
    ///
    /// @param step            counted from 1
    /// @param steps           of the whole run
    /// @param tokens          predicted so far
    /// @param loss            of this step, nats per token
    /// @param learningRate    of this step
    /// @param gradientNorm    before clipping
    /// @param validationLoss  if it was measured after this step
    /// @param measures        the learner's further measures, if they were taken after this step
    /// @param tokensPerSecond of this step, validation not counted
    record Step(
            long step,
            long steps,
            long tokens,
            double loss,
            double learningRate,
            double gradientNorm,
            OptionalDouble validationLoss,
            Map<String, Double> measures,
            double tokensPerSecond) {}
}
