package dev.outrider.cli;

import dev.outrider.common.Ticker;
import dev.outrider.config.ConfigLoader;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.predict.PredictedAcceptance;
import dev.outrider.training.CheckpointMeasure;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Predicted tokens per round as what checkpoints of a run are compared by: `training.best.measure` names the file of an experiment with
/// one variant, whose drafter takes the checkpoint in place of its own `path`.
///
/// @param worth foretells
record TokensPerRound(PredictedAcceptance worth) implements CheckpointMeasure {
    private static final String PATH = "variants[0].drafter.path";

    /// The measure that a name asks for, if it is the name of an experiment's file.
    ///
    /// @throws dev.outrider.spi.error.OutriderException if the experiment cannot be read, or cannot serve for this
    static Optional<CheckpointMeasure> named(String name, ConfigLoader loader, Ticker ticker) {
        if (!name.endsWith(".yaml")) {
            return Optional.empty();
        }
        var worth = new PredictedAcceptance(folder -> experiment(loader, name, folder), ticker);
        worth.check(Path.of("checkpoint"));
        return Optional.of(new TokensPerRound(worth));
    }

    private static ExperimentConfig experiment(ConfigLoader loader, String name, Path folder) {
        var change = PATH + "=" + folder.toAbsolutePath();
        return loader.load(Path.of(name), ExperimentConfig.class, List.of(change)).config();
    }

    @Override
    public String name() {
        return "tokensPerRound";
    }

    @Override
    public boolean higherIsBetter() {
        return true;
    }

    @Override
    public double of(Path folder) {
        return worth.of(folder).value();
    }
}
