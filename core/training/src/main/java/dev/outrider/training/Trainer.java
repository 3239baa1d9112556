package dev.outrider.training;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.Ticker;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.FrozenTarget.TargetPasses;
import dev.outrider.training.PassStore.StoredRows;
import dev.outrider.training.TrainingProfile.Laps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/// Trains a [Learner] from its initial values, or continues a run that was killed. Confined to one thread.
///
/// A run that was interrupted at any moment and resumed ends with the same model as one that was not.
///
/// @param ticker elapsed time in nanoseconds, such as `System::nanoTime`
public record Trainer(Ticker ticker) {
    /// Trains to the end, or until asked to stop.
    ///
    /// The process must not exit while a step is running: the tensor library would be unloaded during the step. A program
    /// that may be interrupted asks to stop and waits for this method to return.
    ///
    /// @param learner the caller closes it
    /// @param stop    asked after every step; if it returns true, a checkpoint is written and this method returns
    /// @return the result, with the model in the job's folder; empty if the run was stopped and can be resumed
    /// @throws IOException       if a file cannot be read or written
    /// @throws OutriderException `TRAINING_DIVERGED` if a loss or gradient is not finite, `CONFIG_INVALID` if the folder holds
    ///                           an unfinished run with other settings
    public Optional<TrainingResult> train(
            TrainingJob job, Learner learner, TrainingProgress progress, BooleanSupplier stop)
            throws IOException {
        var config = job.config();
        var laps = new Laps(ticker);
        PassThreads.use(config.threads());
        if (config.passes().isEmpty()) {
            return train(job, learner, progress, stop, laps);
        }
        var passes = new PassFolder(config.passes().get(), job, learner);
        var filled = passes.filled(progress, stop);
        if (filled.isEmpty()) {
            return Optional.empty();
        }
        laps.lap(TrainingProfile.Part.INPUTS);
        var target = learner.frozen().orElseThrow();
        try {
            var store = filled.get();
            target.use(store);
            var rows = new StoredRows(store, config.seed(), passes.facts());
            return train(job.withTraining(rows), learner, progress, stop, laps);
        } finally {
            target.use(TargetPasses.none());
        }
    }

    /// Trains a decoder from scratch, as [#train].
    public Optional<TrainingResult> train(
            TrainingPlan run, TrainingProgress progress, BooleanSupplier stop) throws IOException {
        try (var learner = run.learner()) {
            return train(run.job(), learner, progress, stop);
        }
    }

    private Optional<TrainingResult> train(
            TrainingJob job,
            Learner learner,
            TrainingProgress progress,
            BooleanSupplier stop,
            Laps laps)
            throws IOException {
        var config = job.config();
        var folder = new RunFolder(job.folder());
        var settings = settings(learner, config, job.folder()) + job.training().facts();
        var saved = folder.checkpoint(settings);
        var start =
                saved.map(RunFolder.Saved::position)
                        .orElseGet(() -> RunFolder.Position.initial(settings));
        var state =
                saved.map(RunFolder.Saved::state)
                        .orElseGet(() -> AdamW.State.initial(learner.parameters(), config.seed()));
        var best = new BestParameters(config, folder, start.best());
        var records = new TrainingLoop.Records(folder, folder.lossCurve(start.step()), start, best);
        var validator = new Validator(job, learner);
        try (var step = new TrainingStep(learner, config.optimizer(), state, laps);
                var rows = job.training().open(config.rows(), start.documents())) {
            var loop =
                    new TrainingLoop(
                            job,
                            learner,
                            step,
                            rows,
                            validator,
                            records,
                            new TrainingLoop.Watch(ticker, laps, progress, stop));
            var ended = loop.run();
            if (ended.isPresent()) {
                folder.finish(
                        learner.finished(ended.get().weights(), job.endOfText()),
                        report(job, learner, ended.get()));
            }
            laps.lap(TrainingProfile.Part.REST);
            progress.ended(laps.profile());
            return ended.map(TrainingLoop.Ended::result);
        }
    }

    /// Returns one line with all settings that decide the result; a resumed run must have the same. The number of threads is not
    /// part of it.
    ///
    /// @param folder of the run; the checkpoint there contains this line
    static String settings(Learner learner, TrainingConfig config, Path folder) {
        return "%s %s".formatted(learner.facts(), config.relativeTo(folder).withThreads(1));
    }

    private static ObjectNode report(TrainingJob job, Learner learner, TrainingLoop.Ended ended) {
        var result = ended.result();
        var json = new ObjectMapper().createObjectNode();
        json.put("parameters", learner.parameters().count());
        json.put("steps", result.steps());
        ended.bestStep().ifPresent(step -> json.put("bestStep", step));
        json.put("tokens", result.tokens());
        json.put("loss", result.loss());
        json.put("validationLoss", result.validationLoss());
        result.measures().forEach(json::put);
        json.put("wallSeconds", result.wallSeconds());
        json.put("tokensPerSecond", result.tokens() / result.wallSeconds());
        json.put("seed", job.config().seed());
        learner.facts().forEach(json::put);
        json.put("config", job.config().relativeTo(job.folder()).toString());
        new TreeMap<>(job.provenance()).forEach(json::put);
        return json;
    }
}
