package dev.outrider.cli;

import dev.outrider.config.ConfigLoader;
import dev.outrider.drafter.medusa.MedusaTraining;
import dev.outrider.nn.checkpoint.CheckpointDirectory;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.nn.train.Trainer;
import dev.outrider.nn.train.TrainingJob;

import jakarta.inject.Inject;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

/// The command `outrider train medusa`.
@Command(
        name = "medusa",
        description = {
            "Trains Medusa heads on a target that stays as it is.",
            "",
            "The heads learn from the made-up corpus what follows the target's hidden states. A run"
                    + " that was killed goes on from its last checkpoint with --resume."
        },
        footer = {
            "  outrider train medusa --config configs/train-medusa.yaml",
            "  outrider train medusa --config configs/train-medusa.yaml --set"
                    + " heads.projection=target"
        })
final class TrainMedusaCommand implements Callable<Integer> {
    private final TrainingDisplay display;
    private final ConfigLoader loader;

    @Mixin private TrainOptions options = new TrainOptions();

    @Inject
    TrainMedusaCommand(TrainingDisplay display, ConfigLoader loader) {
        this.display = display;
        this.loader = loader;
    }

    @Override
    public Integer call() {
        var loaded = loader.load(options.config(), MedusaTraining.class, options.changes());
        var settings = loaded.config();
        options.requireFresh(settings.out());
        var corpus = new TrainingCorpus(settings.corpusSeed());
        try (var tokenizer =
                        HfTokenizer.load(new CheckpointDirectory(settings.target()).tokenizer());
                var learner = settings.learner()) {
            var job =
                    new TrainingJob(
                            settings.training(),
                            new TokenizerEncoder(tokenizer, settings.endOfText()),
                            corpus.training(),
                            corpus.validation(),
                            settings.out(),
                            corpus.provenance(loaded.effective().configHash()));
            return display.run(
                    job.folder(),
                    job.config().learningRate().steps(),
                    (progress, stop) ->
                            new Trainer(System::nanoTime).train(job, learner, progress, stop));
        }
    }
}
