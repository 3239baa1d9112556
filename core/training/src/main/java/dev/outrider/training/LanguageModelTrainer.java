package dev.outrider.training;

import dev.outrider.common.Ticker;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/// Trains a decoder from scratch, or goes on where a killed run left off. Confined to one thread.
public final class LanguageModelTrainer {
    private final Trainer trainer;

    /// @param ticker elapsed time in nanoseconds, such as `System::nanoTime`
    public LanguageModelTrainer(Ticker ticker) {
        trainer = new Trainer(ticker);
    }

    /// @param ticker   elapsed time in nanoseconds, such as `System::nanoTime`
    /// @param measures as of [Trainer]
    public LanguageModelTrainer(
            Ticker ticker, Function<String, Optional<CheckpointMeasure>> measures) {
        trainer = new Trainer(ticker, measures);
    }

    /// @param ticker   elapsed time in nanoseconds, such as `System::nanoTime`
    /// @param measures as of [Trainer]
    /// @param policies as of [Trainer]
    public LanguageModelTrainer(
            Ticker ticker,
            Function<String, Optional<CheckpointMeasure>> measures,
            Function<TrainingConfig.OnPolicy, Optional<OnPolicyTexts>> policies) {
        trainer = new Trainer(ticker, measures, policies);
    }

    /// What learns in such a run. The caller closes it.
    ///
    /// @throws OutriderException as [FrozenTarget#load], of the teacher
    public static Learner learner(TrainingPlan run) {
        return DecoderLearner.of(run);
    }

    /// Train to the end.
    ///
    /// @return what came out; the model is in the run's folder
    /// @throws IOException       as [Trainer#train]
    /// @throws OutriderException as [Trainer#train]
    public Trainer.Result train(TrainingPlan run, TrainingProgress progress) throws IOException {
        return train(run, progress, () -> false).orElseThrow();
    }

    /// Train to the end, or until asked to stop.
    ///
    /// @param stop as in [Trainer#train]
    /// @return as [Trainer#train]
    /// @throws IOException       as [Trainer#train]
    /// @throws OutriderException as [Trainer#train]; also what loading the teacher may raise
    public Optional<Trainer.Result> train(
            TrainingPlan run, TrainingProgress progress, BooleanSupplier stop) throws IOException {
        try (var learner = learner(run)) {
            return trainer.train(run.job(), learner, progress, stop);
        }
    }
}
