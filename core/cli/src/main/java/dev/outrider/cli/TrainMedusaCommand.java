package dev.outrider.cli;

import dev.outrider.drafter.medusa.MedusaTraining;
import jakarta.inject.Inject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
    private final FrozenTargetTraining training;

    @Mixin private TrainOptions options = new TrainOptions();

    @Inject
    TrainMedusaCommand(FrozenTargetTraining training) {
        this.training = training;
    }

    @Override
    public Integer call() {
        return training.run(options, MedusaTraining.class);
    }
}
