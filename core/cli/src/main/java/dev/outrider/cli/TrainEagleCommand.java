package dev.outrider.cli;

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
    private final FrozenTargetTraining training;

    @Mixin private TrainOptions options = new TrainOptions();

    @Inject
    TrainEagleCommand(FrozenTargetTraining training) {
        this.training = training;
    }

    @Override
    public Integer call() {
        return training.run(options, EagleTraining.class);
    }
}
