package dev.outrider.training;

import java.util.List;
import java.util.Optional;

/// Keeps the parameters of the least validation loss in the folder of a run, if the finished model shall have those. Confined.
final class BestParameters {
    private final TrainingConfig config;
    private final RunFolder folder;
    private Optional<RunFolder.Best> best;

    /// @param best what the run that is resumed has found
    BestParameters(TrainingConfig config, RunFolder folder, Optional<RunFolder.Best> best) {
        this.config = config;
        this.folder = folder;
        this.best = best;
    }

    /// Returns the best parameters so far.
    Optional<RunFolder.Best> found() {
        return best;
    }

    /// Takes note of a validation.
    ///
    /// @param weights one array per parameter
    void judge(long step, double loss, List<float[]> weights) {
        if (best.isEmpty() ? !Double.isNaN(loss) : loss < best.get().loss()) {
            folder.saveBest(step, weights);
            best = Optional.of(new RunFolder.Best(step, loss));
        }
    }

    /// Whether there has been nothing better for long enough.
    boolean patienceSpent(long step) {
        int patience = config.best().map(TrainingConfig.Best::patience).orElse(0);
        return patience > 0
                && best.filter(each ->
                                step - each.step() >= (long) patience * config.validateEvery())
                        .isPresent();
    }
}
