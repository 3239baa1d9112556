package dev.outrider.experiment.predict;

import dev.outrider.common.Ticker;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.function.Function;

/// The value of the checkpoints of one drafter: the predicted tokens per round of each, all read along the same texts, so that they
/// differ by the checkpoint alone. This is what checkpoints of a training run are compared by.
///
/// The target writes its texts when the first checkpoint comes, and the models are loaded for each and closed after it: nothing is held
/// while training goes on. Confined to one thread.
public final class PredictedAcceptance {
    private final Function<Path, ExperimentConfig> experiment;
    private final Ticker ticker;
    private final Prediction.TargetTexts texts = new Prediction.TargetTexts();

    /// @param experiment the experiment whose one variant drafts from the given checkpoint; but for that always the same
    /// @param ticker     clock of stage times
    public PredictedAcceptance(Function<Path, ExperimentConfig> experiment, Ticker ticker) {
        this.experiment = experiment;
        this.ticker = ticker;
    }

    /// Checks the experiment as far as that is possible without loading anything.
    ///
    /// @param checkpoint any; it need not be there
    /// @throws OutriderException CONFIG_INVALID unless the experiment has one variant; as [LoadedExperiment#check]
    public void check(Path checkpoint) {
        LoadedExperiment.check(withOneVariant(checkpoint));
    }

    /// Predicted tokens per round with the drafter of a checkpoint.
    ///
    /// @throws OutriderException as [#check]; CAPABILITY_MISSING if its rounds cannot be predicted; what loading and decoding throw
    public Interval of(Path checkpoint) {
        var config = withOneVariant(checkpoint);
        try (var ready = LoadedExperiment.load(config, ticker, false)) {
            var prediction =
                    new Prediction(ready.plan(config), texts, (what, done, of) -> {}, () -> false);
            return prediction.rate(ready.variants().getLast());
        }
    }

    private ExperimentConfig withOneVariant(Path checkpoint) {
        var config = experiment.apply(checkpoint);
        if (config.variants().size() != 1) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "experiment '%s' has %d variants, but a checkpoint is put to use by one"
                            .formatted(config.name(), config.variants().size()),
                    "Leave one variant in it.");
        }
        return config;
    }
}
