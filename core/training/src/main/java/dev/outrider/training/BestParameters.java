package dev.outrider.training;

import dev.outrider.training.Learner.FinishedModel;
import dev.outrider.training.Validator.Validation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Keeps the best parameters of a run in its folder, if the finished model shall have those. Confined.
final class BestParameters {
    private final TrainingConfig config;
    private final RunFolder folder;
    private final Optional<CheckpointMeasure> measure;
    private Optional<RunFolder.Best> best;

    /// @param measure what is compared; the validation loss if there is none
    /// @param best    what the run that is resumed has found
    BestParameters(
            TrainingConfig config,
            RunFolder folder,
            Optional<CheckpointMeasure> measure,
            Optional<RunFolder.Best> best) {
        this.config = config;
        this.folder = folder;
        this.measure = measure;
        this.best = best;
    }

    /// What has been found so far.
    Optional<RunFolder.Best> found() {
        return best;
    }

    /// Takes note of a validation.
    ///
    /// @param model   as the run would finish it now
    /// @param weights one array per parameter
    /// @return the validation, and the measure
    Validation judge(long step, Validation validation, FinishedModel model, List<float[]> weights)
            throws IOException {
        if (measure.isEmpty()) {
            offer(step, -validation.loss(), weights);
            return validation;
        }
        var other = measure.get();
        double value = folder.lent(model, other::of);
        offer(step, other.higherIsBetter() ? value : -value, weights);
        return validation.with(other.name(), value);
    }

    /// A validation of the best parameters, with the measure by which they are the best.
    Validation measured(Validation validation) {
        return measure.map(
                        other -> {
                            double score = best.orElseThrow().score();
                            return validation.with(
                                    other.name(), other.higherIsBetter() ? score : -score);
                        })
                .orElse(validation);
    }

    /// Whether there has been nothing better for long enough.
    boolean patienceSpent(long step) {
        int patience = config.best().map(TrainingConfig.Best::patience).orElse(0);
        return patience > 0
                && best.filter(each ->
                                step - each.step() >= (long) patience * config.validateEvery())
                        .isPresent();
    }

    private void offer(long step, double score, List<float[]> weights) {
        if (best.isEmpty() ? !Double.isNaN(score) : score > best.get().score()) {
            folder.saveBest(step, weights);
            best = Optional.of(new RunFolder.Best(step, score));
        }
    }
}
