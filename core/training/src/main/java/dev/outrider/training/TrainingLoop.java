package dev.outrider.training;

import dev.outrider.common.Ticker;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.training.RowSource.RowStream;
import dev.outrider.training.RunFolder.LossCurve;
import dev.outrider.training.TrainingProfile.Laps;
import dev.outrider.training.Validator.Validation;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// The steps of one call of [Trainer], with the validation, the curve and the checkpoints between them.
final class TrainingLoop {
    private static final int CURVE_EVERY = 10;

    private final TrainingJob job;
    private final TrainingConfig config;
    private final Learner learner;
    private final TrainingStep trainer;
    private final RowStream rows;
    private final RunFolder folder;
    private final Validator validator;
    private final BestParameters best;
    private final LossCurve curve;
    private final RunFolder.Position start;
    private final Watch watch;
    private final long startNanos;
    private long tokens;

    /// The clock, the profile, the listener and the stop signal of a run.
    record Watch(Ticker ticker, Laps laps, TrainingProgress progress, BooleanSupplier stop) {}

    /// The records of a run, beside the parameters.
    record Records(
            RunFolder folder, LossCurve curve, RunFolder.Position start, BestParameters best) {}

    TrainingLoop(
            TrainingJob job,
            Learner learner,
            TrainingStep trainer,
            RowStream rows,
            Validator validator,
            Records records,
            Watch watch) {
        this.job = job;
        config = job.config();
        this.learner = learner;
        this.trainer = trainer;
        this.rows = rows;
        this.validator = validator;
        folder = records.folder();
        curve = records.curve();
        start = records.start();
        best = records.best();
        this.watch = watch;
        startNanos = watch.ticker().nanos();
        tokens = start.tokens();
    }

    /// The end of a run.
    ///
    /// @param weights  of the finished model, one array per parameter
    /// @param bestStep the step of the parameters, if it is not the last one
    record Ended(TrainingResult result, List<float[]> weights, OptionalLong bestStep) {}

    /// Runs the steps; empty if the run was stopped.
    Optional<Ended> run() throws IOException {
        int steps = config.learningRate().steps();
        watch.laps().lap(TrainingProfile.Part.REST);
        for (long step = start.step() + 1; step <= steps; step++) {
            long before = watch.ticker().nanos();
            double rate = config.learningRate().at(step);
            var batches = batches();
            var result = trainer.step(batches, step, rate);
            requireFinite(step, rate, result);
            long predicted = batches.stream().mapToLong(learner::predicted).sum();
            tokens += predicted;
            double seconds = (watch.ticker().nanos() - before) / 1e9;
            boolean validating = step % config.validateEvery() == 0 || step == steps;
            var validated = validating ? Optional.of(validate(step)) : Optional.<Validation>empty();
            var report =
                    new TrainingProgress.Step(
                            step,
                            steps,
                            tokens,
                            result.loss(),
                            rate,
                            result.gradientNorm(),
                            validated
                                    .map(found -> OptionalDouble.of(found.loss()))
                                    .orElse(OptionalDouble.empty()),
                            validated.map(Validation::measures).orElse(Map.of()),
                            predicted / seconds);
            if (step % CURVE_EVERY == 0 || validating) {
                curve.append(report);
            }
            watch.progress().stepDone(report);
            if (validated.isPresent() && (step == steps || best.patienceSpent(step))) {
                return Optional.of(finished(step, result.loss(), validated.get()));
            }
            boolean stopping = watch.stop().getAsBoolean();
            watch.laps().lap(TrainingProfile.Part.REST);
            if (stopping || step % config.checkpointEvery() == 0) {
                saveCheckpoint(step);
            }
            if (stopping) {
                return Optional.empty();
            }
        }
        throw new IllegalStateException(
                "a run of %d steps has done %d already".formatted(steps, start.step()));
    }

    private List<TokenRows> batches() {
        var text = Stream.generate(rows::next).limit(config.accumulate()).toList();
        watch.laps().lap(TrainingProfile.Part.ROWS);
        return text;
    }

    private Validation validate(long step) {
        watch.laps().lap(TrainingProfile.Part.REST);
        var found = validator.of(trainer);
        if (config.best().isPresent()) {
            best.judge(step, found.loss(), trainer.weights());
        }
        watch.laps().lap(TrainingProfile.Part.VALIDATION);
        return found;
    }

    private Ended finished(long step, double loss, Validation last) {
        var kept = best.found();
        if (kept.isEmpty()) {
            return new Ended(result(step, loss, last), trainer.weights(), OptionalLong.empty());
        }
        long at = kept.get().step();
        var weights = at == step ? trainer.weights() : folder.best(at);
        var validation = at == step ? last : validate(weights);
        return new Ended(result(step, loss, validation), weights, OptionalLong.of(at));
    }

    private Validation validate(List<float[]> weights) {
        var state = AdamW.State.of(learner.parameters(), weights);
        try (var other = new TrainingStep(learner, config.optimizer(), state, watch.laps())) {
            return validator.of(other);
        } finally {
            watch.laps().lap(TrainingProfile.Part.VALIDATION);
        }
    }

    private TrainingResult result(long step, double loss, Validation found) {
        return new TrainingResult(
                step, tokens, loss, found.loss(), found.measures(), wallSeconds());
    }

    private void saveCheckpoint(long step) {
        var position =
                new RunFolder.Position(
                        start.settings(),
                        step,
                        rows.consumed(),
                        tokens,
                        wallSeconds(),
                        best.found());
        folder.saveCheckpoint(new RunFolder.Saved(position, trainer.state()));
        watch.laps().lap(TrainingProfile.Part.CHECKPOINTS);
    }

    private double wallSeconds() {
        return start.wallSeconds() + (watch.ticker().nanos() - startNanos) / 1e9;
    }

    private void requireFinite(long step, double rate, TrainingStep.Result result) {
        if (result.isFinite()) {
            return;
        }
        throw ErrorCode.TRAINING_DIVERGED.error(
                "step %d has loss %s and gradient norm %s at learning rate %s; expected finite numbers"
                        .formatted(step, result.loss(), result.gradientNorm(), rate),
                "Lower the learning rate or lengthen the warm-up, and start again in another folder than %s."
                        .formatted(job.folder()));
    }
}
