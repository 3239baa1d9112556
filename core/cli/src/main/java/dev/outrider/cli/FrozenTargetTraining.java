package dev.outrider.cli;

import dev.outrider.nn.checkpoint.CheckpointDirectory;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.nn.train.Learner;
import dev.outrider.nn.train.Trainer;
import dev.outrider.nn.train.TrainingConfig;
import dev.outrider.nn.train.TrainingJob;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.nio.file.Path;
import java.util.function.Supplier;

/// What the commands that train on a frozen target have in common.
///
/// @param out        folder for what is trained
/// @param target     folder of the target, whose tokenizer is read
/// @param endOfText  token that ends a document
/// @param corpusSeed names the corpus
/// @param config     how it is trained
/// @param configHash of the effective configuration
record FrozenTargetTraining(
        Path out,
        Path target,
        String endOfText,
        long corpusSeed,
        TrainingConfig config,
        String configHash) {
    /// Trains and returns the exit code.
    ///
    /// @param loaded the learner; closed here
    int run(Supplier<? extends Learner> loaded, TrainingDisplay display) {
        var corpus = new TrainingCorpus(corpusSeed);
        try (var tokenizer = HfTokenizer.load(new CheckpointDirectory(target).tokenizer());
                var learner = fitting(loaded)) {
            var job =
                    new TrainingJob(
                            config,
                            new TokenizerEncoder(tokenizer, endOfText),
                            corpus.training(),
                            corpus.validation(),
                            out,
                            corpus.provenance(configHash));
            return display.run(
                    out,
                    config.learningRate().steps(),
                    (progress, stop) ->
                            new Trainer(System::nanoTime).train(job, learner, progress, stop));
        }
    }

    /// A plan may ask for what only this target lacks, such as layers; that is the configuration's mistake.
    private static Learner fitting(Supplier<? extends Learner> loaded) {
        try {
            return loaded.get();
        } catch (IllegalArgumentException e) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "the training does not fit the target: %s".formatted(e.getMessage()),
                    "Change the configuration, or train for another target.");
        }
    }
}
