package dev.outrider.cli;

import dev.outrider.config.ConfigLoader;
import dev.outrider.nn.checkpoint.CheckpointDirectory;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.training.FrozenTargetSettings;
import dev.outrider.training.Learner;
import dev.outrider.training.Trainer;
import dev.outrider.training.TrainingJob;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import jakarta.inject.Inject;

/// What the commands that train on a frozen target do.
final class FrozenTargetTraining {
    private final TrainingDisplay display;
    private final ConfigLoader loader;

    @Inject
    FrozenTargetTraining(TrainingDisplay display, ConfigLoader loader) {
        this.display = display;
        this.loader = loader;
    }

    /// Reads the configuration, trains and returns the exit code.
    ///
    /// @param type what the configuration is read as
    <T extends Record & FrozenTargetSettings> int run(TrainOptions options, Class<T> type) {
        var loaded = loader.load(options.config(), type, options.changes());
        var settings = loaded.config();
        options.requireFresh(settings.out());
        var corpus = new TrainingCorpus(settings.corpusSeed());
        var config = settings.training();
        try (var tokenizer =
                        HfTokenizer.load(new CheckpointDirectory(settings.target()).tokenizer());
                var learner = fitting(settings)) {
            var job =
                    new TrainingJob(
                            config,
                            new TokenizerEncoder(tokenizer, settings.endOfText()),
                            corpus.training(),
                            corpus.validation(),
                            settings.out(),
                            corpus.provenance(loaded.effective().configHash()));
            return display.run(
                    settings.out(),
                    config.learningRate().steps(),
                    (progress, stop) ->
                            new Trainer(System::nanoTime).train(job, learner, progress, stop));
        }
    }

    /// A plan may ask for what only this target lacks, such as layers; that is the configuration's mistake.
    private static Learner fitting(FrozenTargetSettings settings) {
        try {
            return settings.learner();
        } catch (IllegalArgumentException e) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "the training does not fit the target: %s".formatted(e.getMessage()),
                    "Change the configuration, or train for another target.");
        }
    }
}
