package dev.outrider.cli;

import dev.outrider.config.ConfigLoader;
import dev.outrider.drafter.eagle.EagleTraining;
import jakarta.inject.Inject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// The command `outrider train eagle`.
@Command(
        name = "eagle",
        description = {
            "Trains an EAGLE head on a target that stays as it is.",
            "",
            "The head learns from the made-up corpus to continue the target's features: EAGLE-1 by"
                    + " regression and the target's law, EAGLE-3 by practising several guesses in a"
                    + " row. A run that was killed goes on from its last checkpoint with --resume."
        },
        footer = {
            "  outrider train eagle --config configs/train-eagle1.yaml",
            "  outrider train eagle --config configs/train-eagle3.yaml --set"
                    + " training.learningRate.steps=200"
        })
final class TrainEagleCommand implements Callable<Integer> {
    private final TrainingDisplay display;
    private final ConfigLoader loader;

    @Mixin private TrainOptions options = new TrainOptions();

    @Inject
    TrainEagleCommand(TrainingDisplay display, ConfigLoader loader) {
        this.display = display;
        this.loader = loader;
    }

    @Override
    public Integer call() {
        var loaded = loader.load(options.config(), EagleTraining.class, options.changes());
        var settings = loaded.config();
        options.requireFresh(settings.out());
        return new FrozenTargetTraining(
                        settings.out(),
                        settings.target(),
                        settings.endOfText(),
                        settings.corpusSeed(),
                        settings.training(),
                        loaded.effective().configHash())
                .run(settings::learner, display);
    }
}
