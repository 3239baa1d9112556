package dev.outrider.nn.train;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Trains a decoder from scratch, or goes on where a killed run left off. Confined to one thread.
///
/// A run that was interrupted at any moment and resumed ends with the same model as one that was not.
public final class LanguageModelTrainer {
    private static final int CURVE_EVERY = 10;

    private final LongSupplier nanoTicker;

    /// @param nanoTicker elapsed time in nanoseconds, such as `System::nanoTime`
    public LanguageModelTrainer(LongSupplier nanoTicker) {
        this.nanoTicker = nanoTicker;
    }

    /// What a finished run reports.
    ///
    /// @param steps          done
    /// @param tokens         predicted
    /// @param loss           of the last step, nats per token
    /// @param validationLoss at the end
    /// @param wallSeconds    of all parts of the run together
    public record Result(
            long steps, long tokens, double loss, double validationLoss, double wallSeconds) {}

    /// Train to the end.
    ///
    /// @return what came out; the model is in the run's folder
    /// @throws IOException       as the other method
    /// @throws OutriderException as the other method
    public Result train(TrainingRun run, TrainingProgress progress) throws IOException {
        return train(run, progress, () -> false).orElseThrow();
    }

    /// Train to the end, or until asked to stop.
    ///
    /// The process must not exit while a step is running: the tensor library would then be torn down under it. A program
    /// that may be interrupted asks to stop and waits for this method to return.
    ///
    /// @param stop     asked after every step; once it says true, a checkpoint is written and this method returns
    /// @return what came out, the model being in the run's folder; or nothing if the run was stopped and can be resumed
    /// @throws IOException       if a file cannot be read or written
    /// @throws OutriderException `TRAINING_DIVERGED` if a loss or gradient is not finite, `CONFIG_INVALID` if the folder holds
    ///                           an unfinished run with other settings
    public Optional<Result> train(TrainingRun run, TrainingProgress progress, BooleanSupplier stop)
            throws IOException {
        var config = run.config();
        TensorRuntime.useThreads(config.threads());
        var folder = new RunFolder(run.folder());
        var settings = run.settings();
        var saved = folder.checkpoint(settings);
        var start =
                saved.map(RunFolder.Saved::position)
                        .orElse(new RunFolder.Position(settings, 0, 0, 0));
        var state =
                saved.map(RunFolder.Saved::state)
                        .orElseGet(() -> DecoderTrainer.initial(run.shape(), config.seed()));
        var curve = folder.lossCurve(start.step());
        var teacher = teacher(config);
        try (var trainer =
                        new DecoderTrainer(
                                run.shape(), config.precision(), config.optimizer(), state);
                var rows =
                        new RowPacker(
                                run.training(),
                                run.encoder(),
                                config.contextTokens() + 1,
                                start.documents())) {
            var loop = new Loop(run, trainer, teacher, rows, folder, curve, start, progress, stop);
            var result = loop.run();
            if (result.isEmpty()) {
                return result;
            }
            folder.finish(
                    trainer,
                    storage(run),
                    run.encoder().endOfText(),
                    report(run, result.get()),
                    run.tokenizer());
            return result;
        } finally {
            teacher.forEach(DecoderTrainer::close);
        }
    }

    private static List<DecoderTrainer> teacher(TrainingConfig config) throws IOException {
        if (config.distillation().isEmpty()) {
            return List.of();
        }
        var folder = new RunFolder(config.distillation().get().teacher());
        var shape = folder.shape();
        var weights = folder.weights();
        var state = new DecoderTrainer.State(weights, weights, weights);
        return List.of(new DecoderTrainer(shape, config.precision(), config.optimizer(), state));
    }

    private static TensorFile.Storage storage(TrainingRun run) {
        return switch (run.storage()) {
            case FLOAT32 -> TensorFile.Storage.F32;
            case BFLOAT16 -> TensorFile.Storage.BF16;
        };
    }

    private static ObjectNode report(TrainingRun run, Result result) {
        var json = new ObjectMapper().createObjectNode();
        json.put("parameters", run.shape().parameters());
        json.put("steps", result.steps());
        json.put("tokens", result.tokens());
        json.put("loss", result.loss());
        json.put("validationLoss", result.validationLoss());
        json.put("wallSeconds", result.wallSeconds());
        json.put("tokensPerSecond", result.tokens() / result.wallSeconds());
        json.put("seed", run.config().seed());
        json.put("shape", run.shape().toString());
        json.put("config", run.config().toString());
        new TreeMap<>(run.provenance()).forEach(json::put);
        return json;
    }

    /// The steps of one call.
    private final class Loop {
        private final TrainingRun run;
        private final TrainingConfig config;
        private final DecoderTrainer trainer;
        private final List<DecoderTrainer> teacher;
        private final RowPacker rows;
        private final RunFolder folder;
        private final LossCurve curve;
        private final RunFolder.Position start;
        private final TrainingProgress progress;
        private final BooleanSupplier stop;
        private final long startNanos = nanoTicker.getAsLong();
        private final List<long[]> validation = new ArrayList<>();

        Loop(
                TrainingRun run,
                DecoderTrainer trainer,
                List<DecoderTrainer> teacher,
                RowPacker rows,
                RunFolder folder,
                LossCurve curve,
                RunFolder.Position start,
                TrainingProgress progress,
                BooleanSupplier stop) {
            this.run = run;
            config = run.config();
            this.trainer = trainer;
            this.teacher = teacher;
            this.rows = rows;
            this.folder = folder;
            this.curve = curve;
            this.start = start;
            this.progress = progress;
            this.stop = stop;
            try (var packer =
                    new RowPacker(run.validation(), run.encoder(), config.contextTokens() + 1, 0)) {
                for (int row = 0; row < config.validationRows(); row++) {
                    validation.add(packer.rows(1));
                }
            }
        }

        Optional<Result> run() throws IOException {
            int steps = config.learningRate().steps();
            long tokensPerStep = (long) config.rows() * config.contextTokens();
            double weight =
                    config.distillation().map(TrainingConfig.Distillation::weight).orElse(0.0);
            double loss = Double.NaN;
            for (long step = start.step() + 1; step <= steps; step++) {
                long before = nanoTicker.getAsLong();
                double rate = config.learningRate().at(step);
                var result =
                        trainer.step(
                                rows.rows(config.rows()),
                                config.rows(),
                                step,
                                rate,
                                teacher,
                                weight);
                requireFinite(step, rate, result);
                loss = result.loss();
                double seconds = (nanoTicker.getAsLong() - before) / 1e9;
                var validated =
                        step % config.validateEvery() == 0 && step < steps
                                ? OptionalDouble.of(validationLoss())
                                : OptionalDouble.empty();
                var report =
                        new TrainingProgress.Step(
                                step,
                                steps,
                                step * tokensPerStep,
                                loss,
                                rate,
                                result.gradientNorm(),
                                validated,
                                tokensPerStep / seconds);
                if (step % CURVE_EVERY == 0 || validated.isPresent()) {
                    curve.append(report);
                }
                progress.stepDone(report);
                boolean stopping = step < steps && stop.getAsBoolean();
                if (stopping || (step % config.checkpointEvery() == 0 && step < steps)) {
                    saveCheckpoint(step);
                }
                if (stopping) {
                    return Optional.empty();
                }
            }
            return Optional.of(
                    new Result(
                            steps, steps * tokensPerStep, loss, validationLoss(), wallSeconds()));
        }

        private void saveCheckpoint(long step) throws IOException {
            var position =
                    new RunFolder.Position(start.settings(), step, rows.consumed(), wallSeconds());
            folder.saveCheckpoint(new RunFolder.Saved(position, trainer.state()));
        }

        private double wallSeconds() {
            return start.wallSeconds() + (nanoTicker.getAsLong() - startNanos) / 1e9;
        }

        private double validationLoss() {
            double sum = 0;
            for (var row : validation) {
                sum += trainer.loss(row, 1);
            }
            return sum / validation.size();
        }

        private void requireFinite(long step, double rate, DecoderTrainer.StepResult result) {
            if (Double.isFinite(result.loss()) && Double.isFinite(result.gradientNorm())) {
                return;
            }
            throw new OutriderException(
                    ErrorCode.TRAINING_DIVERGED,
                    "step %d has loss %s and gradient norm %s at learning rate %s; expected finite numbers"
                            .formatted(step, result.loss(), result.gradientNorm(), rate),
                    "Lower the learning rate or lengthen the warm-up, and start again in another folder than %s."
                            .formatted(run.folder()));
        }
    }
}
