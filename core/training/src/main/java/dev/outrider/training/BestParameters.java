package dev.outrider.training;

import java.util.List;
import java.util.Optional;

/// Keeps the parameters of the least validation loss in the folder of a run, if the finished model is to have them. Confined.
final class BestParameters {
    private final TrainingConfig config;
    private final RunFolder folder;
    private Optional<RunFolder.Best> best;

    /// @param best the best parameters before the run was interrupted
    BestParameters(TrainingConfig config, RunFolder folder, Optional<RunFolder.Best> best) {
        this.config = config;
        this.folder = folder;
        this.best = best;
    }

    /// Returns the best parameters so far.
    Optional<RunFolder.Best> found() {
        return best;
    }

    /// Records the result of a validation.
    ///
    /// @param weights one array per parameter
    void judge(long step, double loss, List<float[]> weights) {
        if (best.isEmpty() ? !Double.isNaN(loss) : loss < best.get().loss()) {
            folder.saveBest(step, weights);
            best = Optional.of(new RunFolder.Best(step, loss));
        }
    }

    /// Returns whether the loss has not improved for the number of validations that the configuration allows.
    boolean patienceSpent(long step) {
        int patience = config.best().map(TrainingConfig.Best::patience).orElse(0);
        return patience > 0
                && best.filter(each ->
                                step - each.step() >= (long) patience * config.validateEvery())
                        .isPresent();
    }
}
