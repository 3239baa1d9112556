package dev.outrider.cli;

import dev.outrider.config.ConfigLoader;
import dev.outrider.drafter.mtp.MtpTraining;
import jakarta.inject.Inject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// The command `outrider train mtp`.
@Command(
        name = "mtp",
        description = {
            "Trains multi-token prediction modules on a target that stays as it is.",
            "",
            "One module can learn several steps, or several modules a step each. To train modules together with their target,"
                    + " use outrider train lm --mtp-heads."
        },
        footer = {
            "  outrider train mtp --config configs/train-mtp.yaml",
            "  outrider train mtp --config configs/train-mtp.yaml --set softLabels=0"
        })
final class TrainMtpCommand implements Callable<Integer> {
    private final TrainingDisplay display;
    private final ConfigLoader loader;

    @Mixin private TrainOptions options = new TrainOptions();

    @Inject
    TrainMtpCommand(TrainingDisplay display, ConfigLoader loader) {
        this.display = display;
        this.loader = loader;
    }

    @Override
    public Integer call() {
        var loaded = loader.load(options.config(), MtpTraining.class, options.changes());
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
