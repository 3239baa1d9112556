package dev.outrider.training;

import dev.outrider.common.Ticker;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;

/// The steps of one call of [Trainer], with the validation, the curve and the checkpoints between them.
final class TrainingLoop {
    private static final int CURVE_EVERY = 10;

    private final TrainingJob job;
    private final TrainingConfig config;
    private final Learner learner;
    private final TrainingStep trainer;
    private final RowStream rows;
    private final RunFolder folder;
    private final LossCurve curve;
    private final RunFolder.Position start;
    private final Watch watch;
    private final long startNanos;
    private final List<TokenRows> validation = new ArrayList<>();
    private long tokens;

    /// What a run asks and tells while it is running.
    record Watch(Ticker ticker, TrainingProgress progress, BooleanSupplier stop) {}

    TrainingLoop(
            TrainingJob job,
            Learner learner,
            TrainingStep trainer,
            RowStream rows,
            RunFolder folder,
            LossCurve curve,
            RunFolder.Position start,
            Watch watch) {
        this.job = job;
        config = job.config();
        this.learner = learner;
        this.trainer = trainer;
        this.rows = rows;
        this.folder = folder;
        this.curve = curve;
        this.start = start;
        this.watch = watch;
        startNanos = watch.ticker().nanos();
        tokens = start.tokens();
        try (var single = job.validation().open(1, 0)) {
            for (int row = 0; row < config.validationRows(); row++) {
                validation.add(single.next());
            }
        }
    }

    Optional<Trainer.Result> run() throws IOException {
        int steps = config.learningRate().steps();
        double loss = Double.NaN;
        for (long step = start.step() + 1; step <= steps; step++) {
            long before = watch.ticker().nanos();
            double rate = config.learningRate().at(step);
            var batch = rows.next();
            var result = trainer.step(batch, step, rate);
            requireFinite(step, rate, result);
            loss = result.loss();
            long predicted = learner.predicted(batch);
            tokens += predicted;
            double seconds = (watch.ticker().nanos() - before) / 1e9;
            boolean validating = step % config.validateEvery() == 0 && step < steps;
            var validated = validating ? Optional.of(validate()) : Optional.<Validation>empty();
            var report =
                    new TrainingProgress.Step(
                            step,
                            steps,
                            tokens,
                            loss,
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
            boolean stopping = step < steps && watch.stop().getAsBoolean();
            if (stopping || (step % config.checkpointEvery() == 0 && step < steps)) {
                saveCheckpoint(step);
            }
            if (stopping) {
                return Optional.empty();
            }
        }
        var last = validate();
        return Optional.of(
                new Trainer.Result(
                        steps, tokens, loss, last.loss(), last.measures(), wallSeconds()));
    }

    private void saveCheckpoint(long step) {
        var position =
                new RunFolder.Position(
                        start.settings(), step, rows.consumed(), tokens, wallSeconds());
        folder.saveCheckpoint(new RunFolder.Saved(position, trainer.state()));
    }

    private double wallSeconds() {
        return start.wallSeconds() + (watch.ticker().nanos() - startNanos) / 1e9;
    }

    /// Means over the validation rows.
    private record Validation(double loss, Map<String, Double> measures) {}

    private Validation validate() {
        var names = learner.measures();
        var sums = new double[1 + names.size()];
        for (var row : validation) {
            var found = trainer.measures(row);
            for (int i = 0; i < sums.length; i++) {
                sums[i] += found[i] / validation.size();
            }
        }
        var measures = new LinkedHashMap<String, Double>();
        for (int i = 0; i < names.size(); i++) {
            measures.put(names.get(i), sums[i + 1]);
        }
        return new Validation(sums[0], measures);
    }

    private void requireFinite(long step, double rate, TrainingStep.Result result) {
        if (result.isFinite()) {
            return;
        }
        throw new OutriderException(
                ErrorCode.TRAINING_DIVERGED,
                "step %d has loss %s and gradient norm %s at learning rate %s; expected finite numbers"
                        .formatted(step, result.loss(), result.gradientNorm(), rate),
                "Lower the learning rate or lengthen the warm-up, and start again in another folder than %s."
                        .formatted(job.folder()));
    }
}
