package dev.outrider.cli;

import dev.outrider.config.ConfigLoader;
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
